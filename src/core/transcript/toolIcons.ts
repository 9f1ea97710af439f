import type { ToolKind } from './model.js';

/** The codicon of each kind of call, in the panel and in the plan tree. */
export const toolIcons = {
  read: 'eye',
  edit: 'edit',
  delete: 'trash',
  move: 'move',
  search: 'search',
  execute: 'terminal',
  think: 'thinking',
  fetch: 'globe',
  switch_mode: 'arrow-swap',
  other: 'tools',
} as const satisfies Readonly<Record<ToolKind, string>>;
