// `node bench/run-delivery.js`: how many mails a second reach a mail server on this machine.
import { bundle } from '../bin/build.mjs';

await bundle(['bench/delivery.ts', 'bench/mail-sink.ts'], 'build/bench');
await import('../build/bench/delivery.js');
