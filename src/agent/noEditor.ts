import type { EditorFiles } from './ports.js';

/** No file is open anywhere: for runs without an editor. */
export const noEditor: EditorFiles = {
  openText: () => undefined,
  write: () => Promise.resolve({ outcome: 'notOpen' }),
};
