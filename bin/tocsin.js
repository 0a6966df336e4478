#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { ensureBuilt } from './build.js';

// Left to itself V8 lets the heap grow to several times of what is in use before it collects. Under load that is a
// hundred megabytes for nothing.
setFlagsFromString('--heap-growing-percent=30');
// V8 guesses that what lives long when services are learnt lives long in every post, and puts it straight among the old.
setFlagsFromString('--no-allocation-site-pretenuring');
process.setSourceMapsEnabled(true);
await ensureBuilt();
await import('../dist/main.js');
