// `npm run bench`: bundles the program and the bench, then measures.
import { bundle, ensureBuilt } from '../bin/build.mjs';

await ensureBuilt();
await bundle(
  [
    'bench/main.ts',
    'bench/bare-server.ts',
    'bench/generator.ts',
    'bench/poller.ts',
    'bench/mqtt-generator.ts',
  ],
  'build/bench',
);
await import('../build/bench/main.js');
