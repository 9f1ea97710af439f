/** Every name that other people's settings, keybindings and tests may hold on to. All start with `acpHost.`. */
export const prefix = 'acpHost';

export const views = { chat: 'acpHost.chat', plan: 'acpHost.plan', editor: 'acpHost.editor' } as const;

export const commandIds = {
  probeAgent: 'acpHost.probeAgent',
  addAgent: 'acpHost.addAgent',
  newSession: 'acpHost.newSession',
  cancelTurn: 'acpHost.cancelTurn',
  restartAgent: 'acpHost.restartAgent',
  selectAgent: 'acpHost.selectAgent',
  focusChat: 'acpHost.focusChat',
  openInEditor: 'acpHost.openInEditor',
  refreshEnvironment: 'acpHost.refreshEnvironment',
  setSecret: 'acpHost.setSecret',
  showLog: 'acpHost.showLog',
  showTraffic: 'acpHost.showTraffic',
  exportTraffic: 'acpHost.exportTraffic',
  showRequest: 'acpHost.showRequest',
  nextRequest: 'acpHost.nextRequest',
  previousRequest: 'acpHost.previousRequest',
  allowOnce: 'acpHost.allowOnce',
  deny: 'acpHost.deny',
  setEdits: 'acpHost.setEdits',
  setMode: 'acpHost.setMode',
  showMenu: 'acpHost.showMenu',
  copyReport: 'acpHost.copyReport',
  probeAgain: 'acpHost.probeAgain',
  probeWithTestTurn: 'acpHost.probeWithTestTurn',
  followPlan: 'acpHost.followPlan',
  showEntry: 'acpHost.showEntry',
} as const;
export type CommandId = (typeof commandIds)[keyof typeof commandIds];

/** Context keys that `when` clauses of the manifest read. Set in `status.ts` only. */
export const contextKeys = {
  agentState: 'acpHost.agentState',
  turnRunning: 'acpHost.turnRunning',
  approvalPending: 'acpHost.approvalPending',
  hasAgent: 'acpHost.hasAgent',
} as const;

/** Schemes of read-only documents that exist in memory only. */
export const schemes = { diff: 'acp-host-diff', probe: 'acp-host-probe', text: 'acp-host-text' } as const;

/** Keys of what is kept per workspace between windows. */
export const stateKeys = {
  agent: 'acpHost.agent',
  session: 'acpHost.session',
  draft: 'acpHost.draft',
  dialog: 'acpHost.dialog',
  folder: 'acpHost.folder',
} as const;
