import { setTimeout as pause } from 'node:timers/promises';
import { EmbeddedDatabaseError } from './embedded-database-error.ts';
import { type Launch, launchServer } from './launch-server.ts';
import { enterServer, type Presence } from './presence.ts';
import { readServer, type ServerState } from './server-file.ts';
import type { Station } from './station.ts';
import { stopServer } from './stop-server.ts';

const POLL_MS = 20;
const PAUSE_AFTER_FAILURE_MS = 100;
const PATIENCE_MS = 30_000;
/** A server that lost its lock file holds the memory until it notices, which it does every minute. */
const PATIENCE_WITH_REMAINS_MS = 90_000;
/** After a crash a large database may need minutes to repair itself. */
const PATIENCE_WHILE_STARTING_MS = 10 * 60_000;
const QUIET_MS = 5_000;
const TRIES = 3;

/** What passes by itself: another server was first, an old one is not quite gone, a port was taken. */
const PASSING = /lock file|shared memory block|could not bind|could not create any|another postmaster/i;
const REMAINS = /shared memory block/i;
const PORT_TAKEN = /could not bind|could not create any/i;

/** Attaches to the running server or starts it, whichever it takes, until this program is present. */
export async function joinServer(station: Station, signal: AbortSignal): Promise<Presence> {
  const launches: Launch[] = [];
  try {
    return await tryUntilPresent(station, signal, launches);
  } catch (error) {
    // A server of our own that we could not enter must not stay behind.
    if (launches.some((launch) => !launch.hasEnded())) await stopServer(station);
    await Promise.all(launches.map((launch) => launch.stop()));
    throw error;
  }
}

async function tryUntilPresent(station: Station, signal: AbortSignal, launches: Launch[]): Promise<Presence> {
  const startedAt = performance.now();
  let trouble = 'it does not answer';
  let failures = 0;
  let portFailures = 0;
  let hasSaid = false;
  for (;;) {
    const server = await readServer(station.place.cluster);
    const launch = launches.at(-1);
    const waitedMs = performance.now() - startedAt;
    if (server.state === 'starting' && waitedMs > QUIET_MS && !hasSaid) {
      station.say('The embedded database is repairing itself after a crash; this may take a while.');
      hasSaid = true;
    }
    if (signal.aborted && server.state !== 'ready') {
      throw new EmbeddedDatabaseError('The embedded database was closed before it was ready.');
    }
    if (server.state === 'ready') {
      const entered = await enterServer(station, server.address);
      if ('client' in entered) return entered;
      trouble = entered.trouble;
    } else if (server.state === 'absent' && (!launch || launch.hasEnded())) {
      if (launch) {
        const complaint = await launch.complaint();
        trouble = complaint ?? trouble;
        if (complaint && !PASSING.test(complaint)) failures += 1;
        if (failures === TRIES) throw doesNotComeUp(station, trouble);
        if (complaint && PORT_TAKEN.test(complaint)) portFailures += 1;
        await pause(PAUSE_AFTER_FAILURE_MS);
      }
      const isPortTaken = portFailures === TRIES;
      if (isPortTaken) portFailures = 0;
      launches.push(await launchServer(station, isPortTaken));
    }
    if (waitedMs > patienceFor(server, trouble)) throw doesNotComeUp(station, trouble);
    await pause(POLL_MS);
  }
}

function patienceFor(server: ServerState, trouble: string): number {
  if (server.state === 'starting' || server.state === 'stopping') return PATIENCE_WHILE_STARTING_MS;
  return REMAINS.test(trouble) ? PATIENCE_WITH_REMAINS_MS : PATIENCE_MS;
}

function doesNotComeUp({ place }: Station, trouble: string): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `The embedded database in ${place.cluster} does not come up: ${trouble} (more in ${place.log})`,
  );
}
