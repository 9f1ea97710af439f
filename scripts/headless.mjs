import { launch } from './launch.mjs';

launch('headless.cjs', process.argv.slice(2));
