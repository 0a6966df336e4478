// What a program holds in hand: letters that are being sent and, behind them, those taken ahead.

import { MAIL_CONNECTIONS } from '../../platform/mail/smtp.ts';
import type { Room } from '../outbox/letters.ts';
import type { ClaimedLetter } from './claim-letters.ts';
import type { ReadyLetter } from './compose-letters.ts';

interface Lane {
  waiting: ReadyLetter[];
  sending: Set<string>;
  /** Sent or not, and not marked yet: nothing new is taken in their place, so that a database that hangs stops the lane. */
  marking: Set<string>;
  /** The database probably holds more of it than there was room for. */
  hasMore: boolean;
}

interface LaneLimits {
  /** Letters sent at the same time. */
  atOnce: number;
  /** Letters in hand. */
  most: number;
}

const LIMITS = { email: { atOnce: MAIL_CONNECTIONS, most: 50 }, webhook: { atOnce: 4, most: 16 } };
/**
 * Of all lanes of a kind together: all mail goes to one server, where more would only wait for a connection, and each
 * request to a host is a socket of its own.
 */
const MOST_AT_ONCE = { email: MAIL_CONNECTIONS, webhook: 200 };

/** `email 7` is the mail of an organization, `webhook host.example` what goes to a host. */
const kindOf = (name: string) => (name.startsWith('email') ? 'email' : 'webhook');

export function createLanes(limits: { email: LaneLimits; webhook: LaneLimits } = LIMITS) {
  const lanes = new Map<string, Lane>();
  const limitsOf = (name: string) => limits[kindOf(name)];
  const countHeld = ({ waiting, sending, marking }: Lane) => waiting.length + sending.size + marking.size;
  const open = (name: string): Lane => {
    const lane = lanes.get(name) ?? { waiting: [], sending: new Set(), marking: new Set(), hasMore: false };
    lanes.set(name, lane);
    return lane;
  };

  /** The lane of which the fewest letters are under way: so that lanes take turns. */
  function findNext(room: typeof MOST_AT_ONCE): [string, Lane] | null {
    let next: [string, Lane] | null = null;
    for (const [name, lane] of lanes) {
      const busy = lane.sending.size;
      if (lane.waiting.length === 0 || room[kindOf(name)] <= 0 || busy >= limitsOf(name).atOnce) continue;
      if (!next || busy < next[1].sending.size) next = [name, lane];
    }
    return next;
  }

  return {
    room: (): Room => ({
      most: { email: limits.email.most, webhook: limits.webhook.most },
      held: new Map([...lanes].map(([name, lane]) => [name, countHeld(lane)])),
      heldIds: [...lanes.values()].flatMap(({ waiting, sending, marking }) => [
        ...waiting.map(({ id }) => id),
        ...sending,
        ...marking,
      ]),
    }),

    put(letters: ReadyLetter[], taken: ReadonlyMap<string, number>): void {
      for (const [name, lane] of lanes) {
        lane.hasMore = false;
        if (countHeld(lane) === 0) lanes.delete(name);
      }
      for (const [name, count] of taken) {
        const lane = open(name);
        lane.hasMore = countHeld(lane) + count >= limitsOf(name).most;
      }
      for (const letter of letters) open(letter.lane).waiting.push(letter);
    },

    /** Those that may be sent now; they count as being sent until `answer`. */
    start(): ReadyLetter[] {
      const room = { ...MOST_AT_ONCE };
      for (const [name, { sending }] of lanes) room[kindOf(name)] -= sending.size;
      const started: ReadyLetter[] = [];
      for (let next = findNext(room); next; next = findNext(room)) {
        const [name, { waiting, sending }] = next;
        const letter = waiting.shift() as ReadyLetter;
        sending.add(letter.id);
        room[kindOf(name)] -= 1;
        started.push(letter);
      }
      return started;
    },

    /** The receiver has answered and is free for the next one. */
    answer({ lane: name, id }: ClaimedLetter): void {
      const lane = open(name);
      lane.sending.delete(id);
      lane.marking.add(id);
    },

    finish({ lane: name, id }: ClaimedLetter): void {
      const lane = open(name);
      lane.marking.delete(id);
      if (countHeld(lane) === 0 && !lane.hasMore) lanes.delete(name);
    },

    /** Whether a lane with more to come is about to run dry. */
    isLow: () =>
      [...lanes].some(([name, lane]) => lane.hasMore && countHeld(lane) <= limitsOf(name).most / 2),

    /** Nothing of these was begun. */
    takeBack: (): string[] =>
      [...lanes.values()].flatMap(({ waiting }) => waiting.splice(0).map(({ id }) => id)),
  };
}
