import assert from 'node:assert/strict';
import type { JsonObject } from '../support/fakeAgentScript.js';
import { fakeAgent, type FakeAgent } from '../support/fakeAgent.js';
import { fail, permission, respond, text, toolCall, update, waitFor } from '../support/fakeAgentSteps.js';
import { autoMode, manualMode, modeOption } from '../support/modeOption.js';
import { ChatPanel } from './support/chatPanel.js';
import { agentSettings } from './support/demo.js';
import { useWorkbench } from './support/workbench.js';

const all = [manualMode, { id: 'plan', name: 'Plan', description: 'Create a plan before making changes' }, autoMode];
const option = (currentValue: string): JsonObject => modeOption(currentValue, all);

describe('modes in a real window', function () {
  this.timeout(180_000);
  let agent: FakeAgent;
  const workbench = useWorkbench(() => {
    agent = fakeAgent({
      session: { modes: { currentModeId: 'auto', availableModes: all }, configOptions: [option('auto')] },
      on: {
        'session/set_config_option': {
          calls: [
            // Answered only when the prompt that the test sends meanwhile has come: until then it is pending.
            [waitFor('session/prompt', 2), respond({ configOptions: [option('plan')] })],
            [fail({ code: -32603, message: 'Internal error', data: { details: 'Not while planning' } })],
          ],
        },
      },
      parallelPrompts: true,
      prompts: [
        {
          match: 'leave',
          steps: [
            toolCall('exit', { title: 'Approve Plan', kind: 'switch_mode' }),
            permission('exit', [
              { optionId: 'exit-plan-default', name: 'Yes, manually approve edits', kind: 'allow_once' },
              { optionId: 'exit-plan-auto', name: 'Yes, and use auto mode', kind: 'allow_always' },
              { optionId: 'reject', name: 'No, keep planning', kind: 'reject_once' },
            ]),
            update({ sessionUpdate: 'current_mode_update', currentModeId: 'default' }),
            text('Left.'),
          ],
        },
        { match: '', repeat: true, steps: [text('Hello.')] },
      ],
    });
    return { settings: agentSettings({ Fake: agent }, { 'acpHost.approvals.dialog': false }) };
  });
  let panel: ChatPanel;

  before(async () => {
    panel = await ChatPanel.show(workbench());
  });
  after(async () => agent.dispose());

  const line = (words: string): ReturnType<ChatPanel['byId']> => panel.byId('mode').getByText(words, { exact: true });
  const setOptions = async (): Promise<readonly unknown[]> =>
    (await agent.record())
      .filter(({ method }) => method === 'session/set_config_option' || method === 'session/set_mode')
      .map(({ params }) => (params as JsonObject)['value']);

  it('oddity 16: the trust line and the composer show the one mode, and that it asks nothing', async () => {
    await panel.chooseAgent('Fake');
    assert.equal(await panel.byId('mode').count(), 0);
    await panel.ask('hello');
    await line('Mode: Auto, asks nothing').waitFor();
    assert.equal(await panel.byId('mode').count(), 1);
    assert.match((await panel.byId('mode').getAttribute('class')) ?? '', /warn/);
    assert.equal(await panel.byId('composer-mode').innerText(), 'Auto');
    await workbench().keepEvidence('modes-asks-nothing');
  });

  it('oddity 17: a change is pending until the agent confirms it', async () => {
    await panel.byId('composer-mode').click();
    await workbench().keepEvidence('modes-pick');
    await workbench().quickPickRow('Plan').click();
    await panel.frame.locator('[data-testid=composer-mode][aria-busy=true]').waitFor();
    assert.equal(await panel.byId('composer-mode').innerText(), 'Auto');
    await line('Mode: Auto, asks nothing').waitFor();
    await panel.ask('again');
    await line('Mode: Plan').waitFor();
    await panel.frame.locator('[data-testid=composer-mode][aria-busy=false]').waitFor();
    assert.deepEqual(await setOptions(), ['plan']);
  });

  it('oddity 17: a refused change is said, and the mode stays', async () => {
    await panel.byId('mode').click();
    await workbench().quickPickRow('Manual').click();
    await panel.notice('Fake did not set the mode to “Manual”').waitFor();
    await line('Mode: Plan').waitFor();
    assert.deepEqual(await setOptions(), ['plan', 'default']);
    await workbench().keepEvidence('modes-refused');
  });

  it('oddity 17: a request to leave a mode names the modes it leads to, and the answer is what was chosen', async () => {
    await panel.send('leave');
    await panel.approval.getByText('Switch to mode Manual?').waitFor();
    await panel.approval.getByText('Auto, asks nothing').waitFor();
    const ready = panel.approval.locator('[data-option-kind=allow_once]:not([aria-disabled=true])').first();
    await ready.waitFor();
    await workbench().keepEvidence('modes-switch');
    await ready.click();
    await line('Mode: Manual').waitFor();
  });
});
