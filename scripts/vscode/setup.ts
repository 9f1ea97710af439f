import { runScript } from '../say.js';
import { ensureVsCode } from './install.js';

await runScript(async () => {
  await ensureVsCode();
  return 0;
});
