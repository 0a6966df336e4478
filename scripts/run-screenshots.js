// `npm run screenshots`: bundles the program and the script, then takes the README's pictures.
import { bundle, ensureBuilt } from '../bin/build.mjs';

await ensureBuilt();
await bundle(['scripts/screenshots.ts'], 'build/scripts');
await import('../build/scripts/screenshots.js');
