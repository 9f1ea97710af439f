import { probeMain } from './probeMain.js';

void probeMain(process.argv.slice(2));
