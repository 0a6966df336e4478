// What a post is answered with, whichever way it came.
import { Type } from 'typebox';
import { english } from '../../domain/language/english.ts';
import { message } from '../../domain/language/message.ts';
import { fault, sayRefused } from '../../domain/readings/refused.ts';
import { MOST_ENTRIES, MOST_READINGS, sayRejected } from '../../domain/readings/telemetry.ts';
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

export function answerOutcome(outcome: PostOutcome | TakeFault): TelemetryAnswer {
  if (typeof outcome === 'object') return { status: 200, body: shorten(outcome) };
  const [status, detail] = FAULTS[outcome];
  return { status, body: { detail }, ...(status === 503 && { isForLater: true }) };
}

/** What the page of a source names too. */
export const TOO_MANY = fault(message('A post may hold at most {most} entries'), { most: MOST_ENTRIES });
export const TOO_MANY_READINGS = fault(message('A post may hold at most {most} readings'), {
  most: MOST_READINGS,
});
export const SET_ASIDE = fault(
  message(
    'This post ended the program twice while it was read, and is set aside: send it in another form, and tell whoever runs the service',
  ),
);

/** What every way in has words for. */
export const WORDS = {
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
function shorten(answer: PostAnswer): object {
  const { accepted, duplicates, rejected } = answer;
  const sorted = rejected.toSorted((one, other) => one.index - other.index);
  const omitted = sorted.length - MOST_REJECTED;
  const counts = { ...sayWaiting(answer), accepted, duplicates };
  const said = sayRejected(sorted.slice(0, MOST_REJECTED));
  return { ...counts, rejected: said, ...(omitted > 0 && { rejected_omitted: omitted }) };
}

/** Where nothing was wrong with the post: the first one of a new device shall not look like a failure. */
export function sayWaiting({ rejected, waiting = 0 }: PostAnswer): { waiting: number; note: string } | null {
  if (waiting === 0 || rejected.some(({ why }) => why.code !== 'unknown_device')) return null;
  const readings = waiting === 1 ? '1 reading waits' : `${waiting} readings wait`;
  const device = `${waiting === 1 ? 'its' : 'their'} device`;
  return {
    waiting,
    note: `Nothing is wrong: ${readings} until somebody adopts ${device}, under Settings, Devices.`,
  };
}

/** Left out where nothing waits, or something else was wrong. */
export const WAITING_FIELDS = {
  waiting: Type.Optional(
    Type.Integer({ description: 'Readings of unknown devices, kept for when they are adopted' }),
  ),
  note: Type.Optional(Type.String({ description: 'What to do about them' })),
};

type Fault = TakeFault | 'unknown_source';

const FAULTS: Record<Fault, [status: number, detail: string | object[]]> = {
  set_aside: [400, sayRefused(SET_ASIDE, english)],
  not_json: [400, 'The request body is not valid JSON'],
  too_large: [TOO_LARGE.status, TOO_LARGE.detail],
  entry_too_large: [413, `An entry may take at most ${MOST_ENTRY_BYTES / 1024} kB`],
  too_many: [413, sayRefused(TOO_MANY, english)],
  too_many_readings: [413, sayRefused(TOO_MANY_READINGS, english)],
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
