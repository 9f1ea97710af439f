// npm run package: a production build and dist/acp-host-<version>.vsix.
import { mustRun } from './run.js';
import { runScript } from './say.js';
import { packVsix, vsixPath } from './vsix.js';

await runScript(async () => {
  await mustRun('The build', process.execPath, ['esbuild.mjs', '--production'], { show: true });
  const out = await vsixPath();
  await packVsix(out);
  process.stdout.write(`${out}\n`);
  return 0;
});
