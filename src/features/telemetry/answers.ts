// What a post is answered with, whichever way it came.
import { MOST_ENTRIES, MOST_READINGS } from '../../domain/readings/telemetry.ts';
import type { PostOutcome } from '../../engine/ingest/ingest.ts';
import type { PostAnswer } from '../../engine/ingest/sort-readings.ts';
import { TOO_LARGE } from './read-body.ts';
import { MOST_ENTRY_BYTES } from './read-in-pieces.ts';
import type { TakeFault } from './take-post.ts';

export interface TelemetryAnswer {
  status: number;
  body: object;
  /** Our bad moment: the same post is welcome again later. */
  isForLater?: true;
}

export function answerOutcome(outcome: PostOutcome | TakeFault | 'no_room'): TelemetryAnswer {
  if (typeof outcome === 'object') return { status: 200, body: shorten(outcome) };
  const [status, detail] = FAULTS[outcome];
  return { status, body: { detail }, ...(status === 503 && { isForLater: true }) };
}

/** What every way in has words for. */
export const WORDS = {
  tooMany: `A post may hold at most ${MOST_ENTRIES} entries`,
  tooManyReadings: `A post may hold at most ${MOST_READINGS} readings`,
  noRoom: 'Too much is being handed in at the moment: send this again later',
  notStored: 'The readings could not be stored at the moment: send them again',
  noSecret: 'Authentication required',
  unknownSecret: 'Could not validate credentials',
};

export const NOT_STORED: TelemetryAnswer = {
  status: 503,
  body: { detail: WORDS.notStored },
  isForLater: true,
};

const MOST_REJECTED = 1_000;

/** In the order of the entries, and no more of them than anybody reads. */
function shorten({ accepted, duplicates, rejected }: PostAnswer): object {
  const sorted = rejected.toSorted((one, other) => one.index - other.index);
  const omitted = sorted.length - MOST_REJECTED;
  if (omitted <= 0) return { accepted, duplicates, rejected: sorted };
  return { accepted, duplicates, rejected: sorted.slice(0, MOST_REJECTED), rejected_omitted: omitted };
}

type Fault = TakeFault | 'no_room' | 'unknown_source';

const FAULTS: Record<Fault, [status: number, detail: string | object[]]> = {
  not_json: [400, 'The request body is not valid JSON'],
  too_large: [TOO_LARGE.status, TOO_LARGE.detail],
  entry_too_large: [413, `An entry may take at most ${MOST_ENTRY_BYTES / 1024} kB`],
  too_many: [413, WORDS.tooMany],
  too_many_readings: [413, WORDS.tooManyReadings],
  not_a_post: [
    422,
    [
      {
        type: 'object',
        loc: ['body', ''],
        msg: 'The body must be an object or an array of objects',
        input: null,
      },
    ],
  ],
  no_room: [503, WORDS.noRoom],
  unknown_source: [401, WORDS.unknownSecret],
};
