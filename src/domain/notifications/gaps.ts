// When a critical alarm that begins in the next weeks would reach nobody in time, or only by ways that nobody wakes up
// from. Every moment is foretold: between two of those looked at here, the answer does not change.
import { findHoursEdge, isLabHours } from '../on-call/lab-hours.ts';
import type { Recipient } from '../on-call/recipient.ts';
import { makeUp, serviceOf, walk } from './foretell.ts';
import { addMinutes } from './instants.ts';
import { LAST_RESORT, type Ladder, nameMoment, type StandingLadder, standAt } from './ladder.ts';
import type { Group } from './situation.ts';

interface StandingSpan {
  startAt: Date;
  endAt: Date;
  standing: StandingLadder;
}

/** Who stands on the steps, from one change to the next. Stops after each. */
export function* listStandings(ladder: Ladder, from: Date, until: Date): Generator<void, StandingSpan[]> {
  const spans: StandingSpan[] = [];
  for (let at = from; at < until && spans.length < MOST_EDGES; ) {
    const standing = standAt(ladder, at);
    const edge = standing.nextChangeAt;
    const endAt = edge && edge < until ? edge : until;
    spans.push({ startAt: at, endAt, standing });
    at = endAt;
    yield;
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
export const WEEK_MS = 7 * 24 * 60 * 60_000;
/** Somebody has to be reached within so many minutes. */
const SOON_MINUTES = 15;
const MINUTE_MS = 60_000;
const SOON_MS = SOON_MINUTES * MINUTE_MS;
/** A handover every hour for eight weeks. What comes after so many is not looked at. */
const MOST_EDGES = 1_400;
/** Every other question has been asked before. A group whose people change hourly asks so many about some weeks. */
const MOST_QUESTIONS = 3_000;
/** Each costs as much as there are ways to reach somebody. */
const MOST_WAYS_ASKED = 60_000;

export interface Outlook {
  gaps: Gap[];
  /** Where people change very often, not all weeks are looked at; null: all were. */
  endsEarlyAt: Date | null;
}

/** Stops after each question, so that other work goes on. */
export function* findGaps(given: Group, now: Date, weeks = GAP_WEEKS): Generator<void, Outlook> {
  const group = { ...given, ladder: thinOut(given.ladder) };
  const mostQuestions = Math.min(MOST_QUESTIONS, MOST_WAYS_ASKED / countWays(group.ladder));
  const gaps: Gap[] = [];
  const until = new Date(now.getTime() + weeks * WEEK_MS);
  const answers = new Map<string, Answer>();
  const courses = yield* listCourses(group.ladder, now, until);
  for (const { startAt, endAt, moment, course } of courses) {
    const known = answers.get(moment) ?? answers.get(course);
    if (!known && answers.size >= mostQuestions) return { gaps, endsEarlyAt: startAt };
    const answer = known ?? (yield* look(group, startAt));
    if (!known) yield;
    answers.set(answer.isOfMoment ? moment : course, answer);
    const { kind } = answer;
    const last = gaps.at(-1);
    if (kind && last?.kind === kind && last.endAt.getTime() === startAt.getTime()) last.endAt = endAt;
    else if (kind) gaps.push({ startAt, endAt, kind });
  }
  const seenUntil = courses.at(-1)?.endAt ?? now;
  return { gaps, endsEarlyAt: seenUntil < until ? seenUntil : null };
}

/** Of those who are reached by mail alone, at the same step and hours, one answers for all. */
function thinOut(ladder: Ladder): Ladder {
  const places = new Set<string>();
  const targets = ladder.targets.filter(({ step, during, recipient }) => {
    if (recipient?.transport !== 'email' || methodsOf(ladder, recipient).length > 0) return true;
    const place = `${step} ${during}`;
    const isFirst = !places.has(place);
    places.add(place);
    return isFirst;
  });
  return { ...ladder, targets };
}

const methodsOf = ({ methods }: Ladder, { accountId }: Recipient) => methods.get(accountId ?? -1) ?? [];

const countWays = (ladder: Ladder): number =>
  ladder.targets.reduce(
    (ways, { recipient }) => ways + 1 + (recipient ? methodsOf(ladder, recipient).length : 0),
    1,
  );

/**
 * Whoever on a rota is reached in the same ways as another one answers for them: that several weeks are alike is most of the
 * work saved. Somebody who stands elsewhere too is told only once, and answers for nobody else.
 */
function distinguish({ targets, rotas, people, administrators, methods }: Ladder): (id: number) => string {
  const others = [...targets.map(({ recipient }) => recipient), ...administrators];
  const elsewhere = new Set(others.map((one) => one?.accountId ?? -1));
  const addresses = new Set(others.map((one) => one?.recipient ?? ''));
  const names = new Map<number, string>();
  const name = (id: number): string => {
    const person = people.get(id);
    const isAlone = rotas.length === 1 && !elsewhere.has(id) && !addresses.has(person?.recipient ?? '');
    if (!isAlone) return String(id);
    const ways = (methods.get(id) ?? []).map(
      ({ kind, afterMinutes, onlyCritical, during }) => `${kind} ${afterMinutes} ${onlyCritical} ${during}`,
    );
    return person ? `by ${ways.join(', ')}` : 'gone';
  };
  return (id) => {
    const known = names.get(id) ?? name(id);
    names.set(id, known);
    return known;
  };
}

interface Course {
  startAt: Date;
  endAt: Date;
  /** The same where people who are reached alike are on duty. */
  moment: string;
  /** And where they change at the same distance. */
  course: string;
}

function* listCourses(ladder: Ladder, now: Date, wanted: Date): Generator<void, Course[]> {
  const changes: { at: number; name: string }[] = [];
  const nameDuty = distinguish(ladder);
  const edges = yield* listEdges(ladder, now, addMinutes(wanted, SOON_MINUTES));
  const until = (edges.length === MOST_EDGES && edges.at(-1)) || wanted;
  for (const at of [now, ...edges]) {
    changes.push({ at: at.getTime(), name: nameMoment(ladder, at, nameDuty) });
    yield;
  }
  const moments = listMoments(changes, now, until);
  const courses: Course[] = [];
  let current = 0;
  for (const [index, at] of moments.entries()) {
    while ((changes[current + 1]?.at ?? Number.POSITIVE_INFINITY) <= at) current += 1;
    const moment = changes[current]?.name ?? '';
    const names = [moment];
    for (let next = current + 1; (changes[next]?.at ?? Number.POSITIVE_INFINITY) <= at + SOON_MS; next += 1)
      names.push(`${Math.ceil(((changes[next]?.at ?? 0) - at) / MINUTE_MS)} ${changes[next]?.name}`);
    courses.push({
      startAt: new Date(at),
      endAt: new Date(moments[index + 1] ?? until),
      moment,
      course: `from ${names.join('; ')}`,
    });
    yield;
  }
  return courses;
}

/** Handovers, stand-ins and lab hours, also where hours matter although nobody is told by them. */
function* listEdges(ladder: Ladder, from: Date, until: Date): Generator<void, Date[]> {
  const edges: Date[] = [];
  for (let at: Date | null = from; at && at < until && edges.length < MOST_EDGES; ) {
    const next: (Date | null)[] = [
      standAt(ladder, at).nextChangeAt,
      ladder.hours && findHoursEdge(ladder.hours, at),
    ];
    const times = next.flatMap((one) => one?.getTime() ?? []);
    at = times.length === 0 ? null : new Date(Math.min(...times));
    if (at) edges.push(at);
    yield;
  }
  return edges;
}

/** Steps and methods wait whole minutes: what an edge means for an alarm changes by the minute before it. */
function listMoments(changes: readonly { at: number }[], now: Date, until: Date): number[] {
  const times = new Set([now.getTime()]);
  for (const change of changes)
    for (let at = change.at - SOON_MS; at <= change.at; at += MINUTE_MS)
      if (at > now.getTime() && at < until.getTime()) times.add(at);
  return [...times].sort((one, other) => one - other);
}

interface Answer {
  kind: Gap['kind'] | null;
  /** Enough people are told at once: it does not matter who comes on duty when. */
  isOfMoment: boolean;
}

/** Looks no further than until enough people are told. */
function* look(group: Group, from: Date): Generator<void, Answer> {
  const needsNoise = isOff(group.ladder, from);
  const isEnough = (way: Way) => isOwn(way) && (!needsNoise || isLoud(way));
  const until = addMinutes(from, SOON_MINUTES);
  const { told } = yield* walk(makeUp(serviceOf(group), 'critical', from), from, ({ toldBefore }) =>
    toldBefore.alarm.told.some(isEnough) ? from : until,
  );
  const ways = told.flatMap(({ at, recipients }) => recipients.map((way) => ({ ...way, at })));
  const enough = ways.find(isEnough);
  if (!enough) return { kind: ways.some(isOwn) ? 'only_mail' : 'nobody', isOfMoment: false };
  const isAtOnce = enough.at.getTime() === from.getTime();
  return { kind: null, isOfMoment: isAtOnce && (isLoud(enough) || !mayBeOff(group.ladder, from)) };
}

type Way = Recipient & { step: number };

const isOwn = ({ step }: Way): boolean => step !== LAST_RESORT;

/** Until somebody has to be reached: where people come in before that, a mail is read. */
const isOff = (ladder: Ladder, at: Date): boolean =>
  mayBeOff(ladder, at) && mayBeOff(ladder, addMinutes(at, SOON_MINUTES));

const mayBeOff = ({ hours }: Ladder, at: Date): boolean => hours !== null && !isLabHours(hours, at);

/** Somebody who sleeps may wake up from it. */
const isLoud = ({ transport, via }: Recipient): boolean => transport !== 'email' && via !== 'push';
