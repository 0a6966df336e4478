// Whoever loops forever can neither say so nor be stopped: a thread of its own watches the main one, and ends the program.
import { startThread, threadFile } from '../start-thread.ts';
import { BEAT_MS, STANDSTILL, type StandstillSettings, type WatcherData } from './standstill.ts';

interface WatchSettings extends Partial<StandstillSettings> {
  isLogged: boolean;
  wordsFd: number | null;
  /** Tests bring the thread as they built it. */
  file?: string;
}

export function watchStandstill({
  file = threadFile('standstill-worker'),
  ...settings
}: WatchSettings): void {
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const counter = new Int32Array(beats);
  setInterval(() => Atomics.add(counter, 0, 1), BEAT_MS).unref();
  const workerData: WatcherData = { ...STANDSTILL, ...settings, beats };
  const watcher = startThread(file, { workerData });
  // Without it the program runs as well as ever.
  watcher.on('error', () => {});
  watcher.unref();
}
