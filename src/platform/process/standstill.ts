// What the main thread and the thread that watches it have in common.

/** The main thread says by it that it still turns. */
export const BEAT_MS = 500;
/** Of the watcher's own: a machine that slept, a process that was stopped and a clock that was set cost both the same. */
const STILL_TICKS = 20;

export interface StandstillSettings {
  /** After so many looks of the watcher without a beat the program is ended. */
  stillTicks: number;
  /** Between two looks. */
  tickMs: number;
  /** Where the main thread is takes no longer to see. */
  seeingMs: number;
}

export const STANDSTILL: StandstillSettings = { stillTicks: STILL_TICKS, tickMs: BEAT_MS, seeingMs: 2_000 };

export interface WatcherData extends StandstillSettings {
  beats: SharedArrayBuffer;
  isLogged: boolean;
  /** Gets where the main thread was, for whoever outlives the program; null: nobody does. */
  wordsFd: number | null;
}
