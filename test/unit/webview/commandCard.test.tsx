import assert from 'node:assert/strict';
import { ended, sent, wire } from '../core/events.js';
import { mountPanel, type MountedPanel } from './panel.js';

const ESC = '\u001b';
const call = {
  sessionUpdate: 'tool_call',
  ...{ toolCallId: 'c', title: 'npm test', kind: 'execute', status: 'in_progress' },
  content: [{ type: 'terminal', terminalId: 'c' }],
  _meta: { terminal_info: { terminal_id: 'c', cwd: '/workspace' } },
};
const update = (meta: object, more: object = {}): object => ({
  sessionUpdate: 'tool_call_update',
  ...{ toolCallId: 'c', _meta: meta, ...more },
});
const output = (data: string): object => update({ terminal_output: { terminal_id: 'c', data } });
const exit = (exit_code: number | null, signal: string | null = null): object =>
  update({ terminal_exit: { terminal_id: 'c', exit_code, signal } }, { status: 'failed' });

describe('the card of a command that the agent runs itself', () => {
  let view: MountedPanel;
  const card = (): string => view.find('article.card').textContent;
  const lines = (): string[] => view.all('article.card .out > span').map(({ textContent }) => textContent);
  const icons = (): string[] => view.all('article.card .slot > *').map(({ className }) => className);
  beforeEach(async () => {
    view = await mountPanel(undefined, [sent('go'), ...wire(call)]);
  });
  afterEach(() => view.unmount());

  it('oddity 11: shows the output while it comes, in its colours, and the exit code', async () => {
    assert.deepEqual(lines(), []);
    await view.send(...wire(output(`${ESC}[31mred${ESC}[0m one\n`)));
    assert.deepEqual(lines(), ['red one']);
    assert.equal(view.find('article.card .out .err').textContent, 'red');
    assert.match(icons().join(' '), /loading/);
    await view.send(...wire(output('two\n')));
    assert.deepEqual(lines(), ['red one', 'two']);
    await view.send(...wire(exit(3)), ended());
    assert.match(card(), /Exit code 3/);
    assert.match(icons().join(' '), /error/);
  });

  it('oddity 11: names the signal', async () => {
    await view.send(...wire(exit(null, 'SIGKILL')));
    assert.match(card(), /Ended by SIGKILL/);
  });

  it('oddity 11: keeps the newest lines, and says how many there were and how many are gone', async () => {
    const all = Array.from({ length: 30_000 }, (_, i) => `line ${String(i)}\n`).join('');
    await view.send(...wire(output(all), exit(0)), ended());
    assert.deepEqual(lines().at(-1), 'line 29999');
    assert.equal(lines().length, 8);
    assert.match(card(), /Show all 30,?000 lines/);
    await view.click('article.card footer button.link');
    assert.match(card(), /[\d,]+ earlier lines not kept/);
  });

  it('oddity 11: has an end of unknown outcome where the turn ended first', async () => {
    await view.send(...wire(output('one\n')), ended());
    assert.deepEqual(lines(), ['one']);
    assert.doesNotMatch(card(), /Exit code|Ended by/);
    assert.doesNotMatch(icons().join(' '), /loading|error/);
  });
});
