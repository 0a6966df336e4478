// `node bench/run-languages.js [requests]`: what a page costs in each language, by processor time, in turns; and how long a start takes.
import { bundle, ensureBuilt } from '../bin/build.mjs';

await ensureBuilt();
await bundle(['bench/languages.ts'], 'build/bench');
await import('../build/bench/languages.js');
