import assert from 'node:assert/strict';
import { fakeAgent, waitUntilGone, type FakeAgent } from '../support/fakeAgent.js';
import { hang, text } from '../support/fakeAgentSteps.js';
import { ChatPanel } from './support/chatPanel.js';
import { agentSettings, quickDemo } from './support/demo.js';
import { useWorkbench } from './support/workbench.js';

describe('turns that do not simply end', function () {
  this.timeout(180_000);
  let stubborn: FakeAgent;
  const workbench = useWorkbench(() => {
    stubborn = fakeAgent({
      prompts: [
        { match: 'work', steps: [text('Working on it.'), hang()] },
        { match: 'deaf', steps: [text('I do not listen.'), hang('never')] },
        { match: 'short', steps: [text('A short answer.')] },
      ],
    });
    return { settings: agentSettings({ Quick: quickDemo, Stubborn: stubborn }) };
  });
  let panel: ChatPanel;
  const words = (sentence: string | RegExp) => panel.byId('turn-state').getByText(sentence);

  before(async () => {
    panel = await ChatPanel.show(workbench());
  });
  after(async () => stubborn.dispose());

  it('Stop ends an answer that streams', async () => {
    await panel.chooseAgent('Stubborn');
    await panel.send('work');
    await panel.entries('assistant').getByText('Working on it.').waitFor();
    await panel.byId('composer-stop').click();
    await words('You stopped this turn').waitFor();
    await stubborn.waitForFrame(({ method }) => method === 'session/cancel');
    await panel.byId('composer-stop').waitFor({ state: 'detached' });
  });

  it('B53 what is sent meanwhile waits in sight, can be taken away, and Stop does not send it', async () => {
    await panel.send('work');
    await panel.turn('running');
    await panel.send('short, later');
    await panel.send('short, never');
    const queued = panel.frame.locator('.dock').getByText(/^short, /);
    await queued.nth(1).waitFor();
    await panel.frame.locator('.dock div', { hasText: 'short, never' }).getByRole('button', { name: 'Remove' }).click();
    await queued.nth(1).waitFor({ state: 'detached' });
    await panel.composer.focus();
    await panel.composer.press('Escape');
    await panel.turn('idle');
    await queued.getByText('short, later').waitFor();
    assert.equal(await panel.entries('user').getByText('short').count(), 0);
    await panel.frame.locator('.dock').getByRole('button', { name: 'Remove' }).click();
    await queued.waitFor({ state: 'detached' });
  });

  it('sends what was queued when the turn before it ends', async () => {
    await panel.chooseAgent('Quick');
    await panel.send('/think');
    await panel.send('/help');
    await panel.entries('assistant').getByText('I am the demo agent.').waitFor();
    await panel.turn('idle');
    assert.equal(await panel.entries('user').count(), 2);
  });

  it('B49 a second Stop ends the turn here when the agent does not listen', async () => {
    await panel.chooseAgent('Stubborn');
    await panel.send('deaf');
    await panel.entries('assistant').getByText('I do not listen.').waitFor();
    await panel.byId('composer-stop').click();
    await panel.turn('cancelling');
    await panel.notice('Stubborn did not stop').getByText('You pressed Stop 10 s ago.').waitFor();
    await panel.notice('Stubborn did not stop').getByRole('button', { name: 'Stop Now' }).click();
    await panel.turn('idle');
    // It still works on the old prompt, so the new one waits, and a restart is the way out.
    await panel.send('short');
    await panel.notice('Stubborn has not finished the prompt you stopped').waitFor();
    await panel.frame.locator('.dock').getByText('short').waitFor();
    await panel.notice('Stubborn has not finished').getByRole('button', { name: 'Restart' }).click();
    await panel.frame.getByText('Stubborn restarted, and starts without memory of the above').waitFor();
    // What waited for the agent goes to the one that is started now.
    await panel.entries('assistant').getByText('A short answer.').waitFor();
    await panel.frame.locator('.dock').getByText('short').waitFor({ state: 'detached' });
    await panel.ask('short again');
    await panel.entries('assistant').getByText('A short answer.').nth(1).waitFor();
  });

  it('says what the agent reported when a turn fails, with the details on request', async () => {
    await panel.chooseAgent('Quick');
    await panel.send('/fail');
    const notice = panel.notice('The turn failed');
    await notice.getByText('Nothing was changed since your prompt.').waitFor();
    await panel.turn('failed');
    assert.equal(await notice.locator('pre').count(), 0);
    await notice.getByRole('button', { name: 'Details' }).click();
    await notice.locator('pre').getByText('Quota used up until 14:00').waitFor();
    await notice.getByRole('button', { name: 'Edit Prompt' }).click();
    await panel.composer.and(panel.frame.locator(':focus')).waitFor();
    assert.equal(await panel.composer.inputValue(), '/fail');
    await panel.ask('/help');
  });

  it('shows exit code and last lines of an agent that crashed, and Restart brings it back', async () => {
    await panel.send('/crash');
    const notice = panel.notice('Quick stopped unexpectedly');
    await notice.getByText(/^Exit code 134 \(SIGABRT\) after \d+ (s|min)\. Your prompt is kept\./).waitFor();
    await notice.locator('pre').getByText('demo agent: leaving with status 134').waitFor();
    await panel.turn('failed');
    await notice.getByRole('button', { name: 'Restart' }).click();
    await panel.frame.getByText('Quick restarted, and starts without memory of the above').waitFor();
    await panel.ask('/help');
    await panel.entries('assistant').getByText('I am the demo agent.').last().waitFor();
  });

  it('B126 a reload in the middle of a turn ends the agent, keeps the transcript and a working composer', async () => {
    await panel.chooseAgent('Stubborn');
    await panel.send('work');
    await panel.entries('assistant').getByText('Working on it.').waitFor();
    const pids = await stubborn.agentPids();
    await workbench().reload();
    await waitUntilGone(pids, 30_000);
    panel = await ChatPanel.show(workbench());
    await panel.entries('user').getByText('work').waitFor();
    await panel.entries('assistant').getByText('Working on it.').waitFor();
    await panel.frame.getByText(/^Saved on this computer, /).waitFor();
    await panel.notice('This turn was cut off').waitFor();
    await panel.turn('failed');
    await panel.ask('short');
    await panel.entries('assistant').getByText('A short answer.').waitFor();
    await panel.frame.getByText('Stubborn cannot reload what was said before').waitFor();
  });
});
