/**
 * The only way in for messages of the webview. Each is rebuilt from its known fields, and each string has a bound: a
 * view that was taken over sends nothing that a person could not have.
 */
import * as z from 'zod/mini';
import type { ToHost } from './messages.js';
import { limits } from './text/limits.js';
import { noticeActions } from './transcript/model.js';

const bounded = (max: number): z.ZodMiniString => z.string().check(z.maxLength(max));
const id = bounded(limits.identifier).check(z.minLength(1));
const prompt = bounded(limits.promptText);
const bare = <T extends string>(type: T) => z.object({ type: z.literal(type) });

const toHost = z.discriminatedUnion('type', [
  bare('ready'),
  bare('stop'),
  bare('pickAgent'),
  bare('addAgent'),
  bare('newSession'),
  bare('pickEdits'),
  bare('pickMode'),
  bare('showPlan'),
  bare('showMenu'),
  bare('typed'),
  bare('resync'),
  z.object({ type: z.literal('sendPrompt'), text: prompt }),
  z.object({ type: z.literal('draft'), text: prompt }),
  z.object({ type: z.literal('answer'), approvalId: id, optionId: id }),
  z.object({
    type: z.literal('decide'),
    approvalId: id,
    decision: z.enum(['allow_once', 'reject_once']),
    comment: z.exactOptional(prompt),
  }),
  z.object({ type: z.literal('openDiff'), toolCallId: z.exactOptional(id), approvalId: z.exactOptional(id) }),
  z.object({
    type: z.literal('openLocation'),
    toolCallId: id,
    index: z.int().check(z.minimum(0), z.maximum(limits.locations)),
  }),
  z.object({ type: z.literal('openApproval'), approvalId: id }),
  z.object({ type: z.literal('openLink'), href: bounded(limits.path) }),
  z.object({ type: z.literal('copy'), text: bounded(limits.turnText) }),
  z.object({ type: z.literal('fetchBody'), bodyId: id }),
  z.object({ type: z.literal('selectAgent'), name: id }),
  z.object({ type: z.literal('chooseEdits'), choice: z.enum(['ask', 'off']) }),
  z.object({ type: z.literal('editQueued'), promptId: id, text: prompt }),
  z.object({ type: z.literal('removeQueued'), promptId: id }),
  z.object({ type: z.literal('sendQueued'), promptId: id }),
  z.object({ type: z.literal('act'), entryId: id, action: z.enum(noticeActions) }),
]);

/** A message of the view with nothing in it but what its type says, or null for anything else. Never throws. */
export function parseToHost(value: unknown): ToHost | null {
  const parsed = toHost.safeParse(value);
  return parsed.success ? parsed.data : null;
}
