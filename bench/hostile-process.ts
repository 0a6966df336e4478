// The hostile neighbour in a program of its own, so that what it costs to be hostile is not paid by who measures. Goes on until
// whoever began it ends it.
import { setMaxListeners } from 'node:events';
import { setPriority } from 'node:os';
import { beHostile } from './hostile-acts.ts';

const [, , url = '', mqttUrl = ''] = process.argv;
// Others' machines are their own: what they compute there takes nothing from the one that is attacked.
setPriority(19);
const ending = new AbortController();
setMaxListeners(0, ending.signal);
process.once('disconnect', () => ending.abort());
const answers = await beHostile({ url, mqttUrl }, ending.signal);
for (const [what, count] of [...answers].sort()) process.stderr.write(`${count} times ${what}\n`);
process.exit();
