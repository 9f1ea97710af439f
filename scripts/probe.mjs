import { launch } from './launch.mjs';

launch('probe.cjs', process.argv.slice(2));
