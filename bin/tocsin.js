#!/usr/bin/env node
// Not a module: importing one already uses the pool of threads, which then keeps the size it has.
const { setFlagsFromString } = require('node:v8');

// Names of mail servers, files, compression and hashes of passwords: with four threads the last would hold up the first.
process.env.UV_THREADPOOL_SIZE ??= '8';
// Left to itself V8 lets the heap grow to several times of what is in use before it collects. Under load that is a
// hundred megabytes for nothing.
setFlagsFromString('--heap-growing-percent=30');
// V8 guesses that what lives long when services are learnt lives long in every post, and puts it straight among the old.
setFlagsFromString('--no-allocation-site-pretenuring');
process.setSourceMapsEnabled(true);

// What serves has a parent that begins it again: a small one, for which the program itself is not loaded.
const [command = 'serve', ...others] = process.argv.slice(2);
const isAsking = [command, ...others].some((word) => ['-h', '--help', '-V', '--version'].includes(word));
const isServing = (command === 'serve' || command.startsWith('-')) && !isAsking;
const isAlone = ['false', 'parent'].includes(process.env.TOCSIN_RESTART);

import('./build.mjs')
  .then(({ ensureBuilt }) => ensureBuilt())
  .then(() => (isServing && !isAlone ? import('../dist/parent.js') : import('../dist/main.js')));
