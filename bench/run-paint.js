// `node bench/run-paint.js`: how long until a person sees the alarms page with 200 alarms, and how much travels for it.
import { bundle, ensureBuilt } from '../bin/build.mjs';

await ensureBuilt();
await bundle(['bench/paint.ts'], 'build/bench');
await import('../build/bench/paint.js');
