// The lanes of mail, or those of the web: organizations take turns, and within one its lanes do. A lane whose receiver was slow
// gets one letter at a time, until it is quicker.
import { countTurns, type TurnRules } from '../../platform/turns.ts';
import { findOwner } from '../outbox/lane.ts';
import type { ReadyLetter } from './compose-letters.ts';

interface Lane {
  name: string;
  waiting: ReadyLetter[];
  sending: Set<string>;
  /** Sent or not, and not marked yet: nothing new is taken in their place, so that a database that hangs stops the lane. */
  marking: Set<string>;
  /** The database probably holds more of it than there was room for. */
  hasMore: boolean;
}

export interface LaneLimits {
  /** Letters of a lane that are sent at the same time. */
  atOnce: number;
  /** Letters of a lane in hand. */
  most: number;
  /** Letters in hand of all lanes of an organization. */
  mostOfOwner: number;
  /** Of all organizations together. */
  slots: TurnRules;
  /** A receiver that takes longer gets one letter at a time. Left out: it is everybody's. */
  slowMs?: number;
}

/** Slow lanes of an organization, so that there is room for its others. */
const SLOW_AT_ONCE = 8;
const MOST_SLOW_REMEMBERED = 10_000;

const countHeld = ({ waiting, sending, marking }: Lane) => waiting.length + sending.size + marking.size;

export function openLanesOfKind(limits: LaneLimits) {
  const { atOnce, most, mostOfOwner, slots, slowMs = Number.POSITIVE_INFINITY } = limits;
  /** By whose they are, in the order of the last turns. */
  const owners = new Map<string, Map<string, Lane>>();
  const turns = countTurns(slots);
  const slow = new Set<string>();
  /** What the last claim could take. Letters that went meanwhile have made more room since. */
  let offered = { lanes: new Map<string, number>(), owners: new Map<string, number>() };
  const mostOf = (lane: string) => (slow.has(lane) ? 1 : most);
  const lanesOf = (owner: string) => [...(owners.get(owner)?.values() ?? [])];
  const listAll = () => [...owners.keys()].flatMap(lanesOf);
  const countHeldBy = (owner: string) => lanesOf(owner).reduce((sum, lane) => sum + countHeld(lane), 0);

  function open(name: string): Lane {
    const lanes = owners.get(findOwner(name)) ?? new Map<string, Lane>();
    owners.set(findOwner(name), lanes);
    const lane = lanes.get(name) ?? {
      name,
      waiting: [],
      sending: new Set(),
      marking: new Set(),
      hasMore: false,
    };
    lanes.set(name, lane);
    return lane;
  }

  function close({ name }: Lane): void {
    const lanes = owners.get(findOwner(name));
    lanes?.delete(name);
    if (lanes?.size === 0) owners.delete(findOwner(name));
  }

  /** Of an organization: where the fewest letters are under way, slow ones last. null: none may go on. */
  function findLane(lanes: readonly Lane[]): Lane | null {
    const slowUnderWay = lanes.filter(({ name, sending }) => slow.has(name) && sending.size > 0).length;
    const rank = ({ name, sending }: Lane) => sending.size + (slow.has(name) ? atOnce : 0);
    let next: Lane | null = null;
    for (const lane of lanes) {
      const { name, waiting, sending } = lane;
      const mayGoOn = slow.has(name)
        ? sending.size === 0 && slowUnderWay < SLOW_AT_ONCE
        : sending.size < atOnce;
      if (waiting.length > 0 && mayGoOn && (!next || rank(lane) < rank(next))) next = lane;
    }
    return next;
  }

  function findNext(): Lane | null {
    const ready = new Map<string, Lane>();
    for (const owner of owners.keys()) {
      const lane = findLane(lanesOf(owner));
      if (lane) ready.set(owner, lane);
    }
    const owner = turns.choose(ready.keys());
    return owner === null ? null : (ready.get(String(owner)) as Lane);
  }

  /** It had its turn. */
  function comeLast(owner: string): void {
    const lanes = owners.get(owner);
    owners.delete(owner);
    if (lanes) owners.set(owner, lanes);
  }

  function noteSlow(lane: string, isSlow: boolean): void {
    slow.delete(lane);
    if (isSlow) slow.add(lane);
    const [oldest] = slow;
    if (slow.size > MOST_SLOW_REMEMBERED && oldest !== undefined) slow.delete(oldest);
  }

  return {
    listHeld: (): string[] =>
      listAll().flatMap(({ waiting, sending, marking }) => [
        ...waiting.map(({ id }) => id),
        ...sending,
        ...marking,
      ]),

    /** How many more letters may be taken, where it is not as many as of any other. */
    countRoom() {
      const lanes = new Map(listAll().map((lane) => [lane.name, mostOf(lane.name) - countHeld(lane)]));
      const slowHeld = new Map<string, number>();
      const countSlow = (lane: string) => {
        const count = slowHeld.get(findOwner(lane)) ?? 0;
        slowHeld.set(findOwner(lane), count + 1);
        return count;
      };
      for (const lane of slow) if (lanes.has(lane)) countSlow(lane);
      for (const lane of slow) if (!lanes.has(lane)) lanes.set(lane, countSlow(lane) < SLOW_AT_ONCE ? 1 : 0);
      const byOwner = [...owners.keys()].map((owner) => [owner, mostOfOwner - countHeldBy(owner)] as const);
      offered = { lanes, owners: new Map(byOwner) };
      return offered;
    },

    /** `taken`: letters by lane, also those of which nothing was left. */
    put(letters: readonly ReadyLetter[], taken: ReadonlyMap<string, number>): void {
      for (const lane of listAll()) {
        lane.hasMore = false;
        if (countHeld(lane) === 0) close(lane);
      }
      const takenBy = new Map<string, number>();
      for (const [name, count] of taken)
        takenBy.set(findOwner(name), count + (takenBy.get(findOwner(name)) ?? 0));
      const hasMoreOf = (owner: string) =>
        (takenBy.get(owner) ?? 0) >= (offered.owners.get(owner) ?? mostOfOwner);
      for (const [name, count] of taken)
        open(name).hasMore = count >= (offered.lanes.get(name) ?? mostOf(name)) || hasMoreOf(findOwner(name));
      for (const letter of letters) open(letter.lane).waiting.push(letter);
    },

    /** Those that may be sent now; they count as being sent until `answer`. */
    start(): ReadyLetter[] {
      const started: ReadyLetter[] = [];
      for (let next = findNext(); next; next = findNext()) {
        const letter = next.waiting.shift() as ReadyLetter;
        next.sending.add(letter.id);
        turns.begin(findOwner(next.name));
        comeLast(findOwner(next.name));
        started.push(letter);
      }
      return started;
    },

    /** The receiver has answered, or had its time, and is free for the next one. */
    answer(name: string, letterId: string, tookMs: number): void {
      const lane = open(name);
      if (lane.sending.delete(letterId)) turns.end(findOwner(name));
      lane.marking.add(letterId);
      noteSlow(name, tookMs >= slowMs);
      comeLast(findOwner(name));
    },

    finish(name: string, letterId: string): void {
      const lane = open(name);
      lane.marking.delete(letterId);
      if (countHeld(lane) === 0 && !lane.hasMore) close(lane);
    },

    /** Whether a lane with more to come is about to run dry. */
    isLow: (): boolean =>
      listAll().some(
        (lane) =>
          lane.hasMore &&
          countHeld(lane) <= mostOf(lane.name) / 2 &&
          countHeldBy(findOwner(lane.name)) <= mostOfOwner / 2,
      ),

    /** Nothing of these was begun. */
    takeBack: (): string[] => listAll().flatMap(({ waiting }) => waiting.splice(0).map(({ id }) => id)),
  };
}
