import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { terminalOf } from '../../core/transcript/agentTerminals.js';
import type { TerminalView, ToolEntry } from '../../core/transcript/model.js';
import { inlineText } from '../../core/transcript/model.js';
import { plural, stepTime } from '../format.js';
import { useNow, useSelect } from '../hooks.js';
import { Icon } from '../icon.js';
import { VisibleText } from '../visibleText.js';
import { AnsiLine, lastLines } from './ansi.js';
import { Provenance } from './provenance.js';
import { StatusSlot } from './status.js';
import { ToolTags } from './tags.js';
import { commandOf } from './words.js';

/** Lines of output under a command before all of them are asked for. */
const fewLines = 8;

/** The terminal of a call, if it has one: the newest, where an agent opened several. */
export function useTerminal(entry: ToolEntry): TerminalView | undefined {
  return useSelect((state) => terminalOf(entry, state.transcript.terminals));
}

/** A command with its output: the command first and in full. */
export function CommandCard(props: {
  readonly entry: ToolEntry;
  readonly agent: string;
  readonly mode: string | undefined;
}): VNode {
  const { entry, agent, mode } = props;
  const terminal = useTerminal(entry);
  const running = entry.status === 'in_progress' || entry.status === 'pending';
  const now = useNow(running);
  const turnRuns = useSelect(
    (state) => state.transcript.turn.state !== 'idle' && state.transcript.turn.state !== 'failed',
  );
  const started = terminal?.startedAt ?? entry.startedAt;
  const ended = terminal?.endedAt ?? entry.endedAt;
  const [all, setAll] = useState(false);
  const text = terminal?.tail ?? textOutput(entry);
  const total = Math.max(text === '' ? 0 : lastLines(text, Infinity).length, terminal?.lines ?? 0);
  const exit = terminal?.exit === undefined ? null : exitText(terminal.exit);
  const command = terminal === undefined || terminal.command === '' ? commandOf(entry) : terminal.command;
  return (
    <article class="card" aria-label={`Command ${command}`}>
      <header>
        <Icon name="terminal" />
        <span class="mono grow">
          <VisibleText text={command} />
        </span>
        <span class="meta num">
          <StatusSlot entry={entry} exit={terminal?.exit ?? null} />
          {started !== undefined && (running || ended !== undefined) && (
            <span>{stepTime((running ? now : (ended ?? now)) - started)}</span>
          )}
        </span>
      </header>
      <Output text={text} total={total} all={all} fixed={terminal !== undefined && turnRuns && !all} />
      {entry.failure !== undefined && (
        <div class="failed">
          <span class="err">Failed:</span> {entry.failure}
        </div>
      )}
      <footer class="hide-empty">
        {exit !== null && <span class="err">{exit}</span>}
        <ToolTags entry={entry} agent={agent} mode={mode} hasFoot />
        <Provenance entry={entry} />
        {total > fewLines && (
          <button type="button" class="link" onClick={() => setAll(!all)}>
            {all ? 'Show fewer lines' : `Show all ${plural(total, 'line')}`}
          </button>
        )}
      </footer>
    </article>
  );
}

function Output(props: {
  readonly text: string;
  readonly total: number;
  readonly all: boolean;
  readonly fixed: boolean;
}): VNode | null {
  const { text, total, all, fixed } = props;
  if (text === '' && !fixed) {
    return null;
  }
  const lines = text === '' ? [] : lastLines(text, all ? Infinity : fewLines);
  return (
    <div class={all ? 'out all' : fixed ? 'out fixed' : 'out'} {...(all && { tabIndex: 0 })}>
      {all && total > lines.length && (
        <span class="quiet">{plural(total - lines.length, 'earlier line')} not kept</span>
      )}
      {lines.map((line, i) => (
        <AnsiLine key={i} line={line} />
      ))}
    </div>
  );
}

/** `Exit code 1`; nothing for 0. */
function exitText(exit: { readonly code: number | null; readonly signal: string | null }): string | null {
  if (exit.code !== null) {
    return exit.code === 0 ? null : `Exit code ${exit.code}`;
  }
  return exit.signal === null ? null : `Ended by ${exit.signal}`;
}

/** Output that an agent sends as text instead of through a terminal, often inside a fence of its own. */
function textOutput(entry: ToolEntry): string {
  const texts = entry.content.flatMap((item) =>
    item.type === 'content' && item.content.type === 'text' ? [inlineText(item.content.text)] : [],
  );
  return texts.join('\n').replace(/^```\w*\n([\s\S]*?)\n?```\s*$/, '$1');
}
