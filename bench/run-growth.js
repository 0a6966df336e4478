// `node bench/run-growth.js [seconds workers…]`: what splitting readings over workers costs.
import { bundle, ensureBuilt } from '../bin/build.mjs';

await ensureBuilt();
await bundle(['bench/growth.ts', 'bench/generator.ts'], 'build/bench');
await import('../build/bench/growth.js');
