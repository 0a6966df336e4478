// `node bench/run-alarm-way.js [alarms] [load]`: an alarm's way to the mail server, beside loads that must not hold it up.
import { bundle, ensureBuilt } from '../bin/build.mjs';

await ensureBuilt();
await bundle(['bench/alarm-way.ts', 'bench/mail-sink.ts', 'bench/hostile-process.ts'], 'build/bench');
await import('../build/bench/alarm-way.js');
