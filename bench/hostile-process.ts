// The hostile neighbour in a program of its own, so that what it costs to be hostile is not paid by who measures. Goes on until
// whoever began it ends it.
import { setMaxListeners } from 'node:events';
import { beHostile } from './hostile-neighbour.ts';

const ending = new AbortController();
setMaxListeners(0, ending.signal);
process.once('disconnect', () => ending.abort());
await beHostile(process.argv[2] ?? '', ending.signal);
