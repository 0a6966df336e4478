// What is to come on a ladder, from one change to the next: whom each step reaches, and when a critical alarm would reach
// nobody, or only by ways that nobody wakes up from.
import { isFor } from './contact-method.ts';
import { findHoursEdge, isLabHours, type LabHours } from './lab-hours.ts';
import { type Ladder, type StandingLadder, standAt } from './ladder.ts';
import type { Recipient } from './recipient.ts';

interface StandingSpan {
  startAt: Date;
  endAt: Date;
  standing: StandingLadder;
}

export function listStandings(
  ladder: Ladder,
  from: Date,
  until: Date,
  /** Where hours matter although nobody is told by them. */
  hours: LabHours | null = null,
): StandingSpan[] {
  const spans: StandingSpan[] = [];
  for (let at = from; at < until; ) {
    const standing = standAt(ladder, at);
    const edges = [standing.nextChangeAt, hours && findHoursEdge(hours, at), until].flatMap(
      (one) => one ?? [],
    );
    const endAt = new Date(Math.min(...edges.map((edge) => edge.getTime())));
    spans.push({ startAt: at, endAt, standing });
    at = endAt;
  }
  return spans;
}

export interface Gap {
  startAt: Date;
  endAt: Date;
  /** Off hours, when mail alone is not enough. */
  kind: 'nobody' | 'only_mail';
}

export const GAP_WEEKS = 8;
const WEEK_MS = 7 * 24 * 60 * 60_000;
/** Somebody has to be reached within so many minutes. */
const SOON_MINUTES = 15;
const UNHEARD: ReadonlySet<string> = new Set(['email', 'push']);

export function findGaps(ladder: Ladder, now: Date): Gap[] {
  const gaps: Gap[] = [];
  const until = new Date(now.getTime() + GAP_WEEKS * WEEK_MS);
  for (const { startAt, endAt, standing } of listStandings(ladder, now, until, ladder.hours)) {
    const kind = nameGap(ladder, standing, startAt);
    const last = gaps.at(-1);
    if (kind && last?.kind === kind && last.endAt.getTime() === startAt.getTime()) last.endAt = endAt;
    else if (kind) gaps.push({ startAt, endAt, kind });
  }
  return gaps;
}

function nameGap({ hours }: Ladder, standing: StandingLadder, at: Date): Gap['kind'] | null {
  const soon = listSoon(standing);
  if (soon.length === 0) return 'nobody';
  const isOff = hours !== null && !isLabHours(hours, at);
  return isOff && soon.every(({ transport }) => UNHEARD.has(transport)) ? 'only_mail' : null;
}

/** Not what a person wants only later, or not for critical alarms. */
const isSoon = (one: Recipient, minutes: number): boolean =>
  isFor(one, 'critical') && minutes + (one.afterMinutes ?? 0) <= SOON_MINUTES;

/** A step that reaches nobody is passed at once, and the next one counts from it. */
function listSoon({ steps }: StandingLadder) {
  const reached: Recipient[] = [];
  let before: StandingLadder['steps'][number] | null = null;
  let minutes = 0;
  for (const step of steps.filter(({ kinds }) => kinds.includes('critical'))) {
    if (before && before.recipients.length > 0) minutes += step.afterMinutes - before.afterMinutes;
    if (minutes > SOON_MINUTES) break;
    reached.push(...step.recipients.filter((one) => isSoon(one, minutes)));
    before = step;
  }
  return reached;
}
