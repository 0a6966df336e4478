import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { joinServer } from './join-server.ts';
import type { Presence } from './presence.ts';
import { readServer } from './server-file.ts';
import type { Station } from './station.ts';
import { stopServer } from './stop-server.ts';

const LOOK_EVERY_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Watches over the server until `signal`: a server that died is started again, at the same address, so that pools find
 * it there. Answers with the presence that is left to be given up, if any.
 */
export async function stayPresent(
  station: Station,
  first: Presence,
  signal: AbortSignal,
): Promise<Presence | undefined> {
  const called = once(signal, 'abort');
  endStalemates(station, signal).catch(() => {});
  let presence = first;
  for (;;) {
    const isLost = await Promise.race([presence.lost.then(() => true), called.then(() => false)]);
    if (!isLost) return presence;
    station.say('The embedded database is gone; bringing it back.');
    const returned = await comeBack(station, signal);
    if (!returned) return undefined;
    presence = returned;
    if (presence.connection.port !== first.connection.port) {
      station.say(
        `The embedded database had to move to port ${presence.connection.port}; restart this program.`,
      );
    }
    Object.assign(first.connection, presence.connection);
    station.say('The embedded database is back.');
  }
}

async function comeBack(station: Station, signal: AbortSignal): Promise<Presence | undefined> {
  for (let pauseMs = 1_000; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await joinServer(station, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      station.say(error instanceof Error ? error.message : String(error));
      await pause(pauseMs, undefined, { signal }).catch(() => {});
    }
    if (signal.aborted) return undefined;
  }
}

/**
 * Asked to stop by a plain kill, PostgreSQL lets nobody in and waits for those inside to leave, which this program does
 * not. Seen twice, such a server is stopped at once, so that it can be started again.
 */
async function endStalemates(station: Station, signal: AbortSignal): Promise<void> {
  for (let wasStopping = false; ; ) {
    await pause(LOOK_EVERY_MS, undefined, { signal, ref: false });
    const isStopping = (await readServer(station.place.cluster)).state === 'stopping';
    if (isStopping && wasStopping && !signal.aborted) await stopServer(station);
    wasStopping = isStopping;
  }
}
