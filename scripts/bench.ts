// npm run -s bench: figures of the product as it ships, in a real VS Code. A run that does not finish ends it with
// status 1; there is no figure without a run.
import { activateRun } from './bench/activate.js';
import { parseArgs } from './bench/args.js';
import { fuzzRun } from './bench/fuzz.js';
import { bundleRun, jailRun, tapRun } from './bench/micro.js';
import { productionCopy } from './bench/product.js';
import { repeated, summarize, toText, type Result } from './bench/results.js';
import { raceRun } from './bench/race.js';
import { streamRun } from './bench/stream.js';
import { runScript } from './say.js';

await runScript(async () => {
  const { json, runs, names, chunks } = parseArgs(process.argv.slice(2));
  const print = (result: Result): void => {
    process.stdout.write(`${json ? JSON.stringify(result) : toText(result)}\n`);
  };
  const product = await productionCopy();
  try {
    for (const name of names) {
      if (name === 'stream') {
        for (const count of chunks) {
          const each = await repeated(`stream, ${count} chunks`, runs, () => streamRun(product.folder, count));
          print(summarize(name, `${count} chunks`, 'enterToLastChunkMs', each));
        }
      } else if (name === 'tap') {
        print(summarize(name, 'text chunks', 'tapPerCpuSecond', await repeated(name, runs, tapRun), 'per CPU-second'));
      } else if (name === 'jail') {
        print(summarize(name, 'read of 4 kB', 'timesOfReadFile', await repeated(name, runs, jailRun), 'times'));
      } else if (name === 'race') {
        await raceRun((line) => process.stdout.write(`${JSON.stringify(line)}\n`));
      } else if (name === 'fuzz') {
        await fuzzRun((line) => process.stdout.write(`${JSON.stringify(line)}\n`));
      } else if (name === 'bundle') {
        print(summarize(name, 'production', 'hostBytes', [await bundleRun(product.folder)], 'bytes'));
      } else {
        const each = await repeated(name, runs, () => activateRun(product.folder));
        const parts = (keys: readonly string[]) =>
          each.map((run) => Object.fromEntries(Object.entries(run).filter(([key]) => keys.includes(key))));
        print(summarize(name, 'activate()', 'activateMs', parts(['activateMs', 'loadMs', 'callMs'])));
        print(summarize(name, 'visible view', 'commandToComposerMs', parts(['commandToComposerMs'])));
      }
    }
  } finally {
    await product.remove();
  }
  return 0;
});
