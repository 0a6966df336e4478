// Tocsin watching itself: from a few figures to what is wrong with the service, and what to do about it.

import { formatMinute } from './instant.ts';
import { english } from './language/english.ts';
import { message } from './language/message.ts';
import type { Language } from './language/speak.ts';
import { describeSpan } from './span.ts';

/** The tasks without which nobody is told. */
export type Work = 'sweep' | 'decide' | 'form' | 'deliver';

/** The programs that do one kind of work. */
interface Crew {
  lastBeatAt: Date | null;
  /** Since when they run without a pause; null: none runs, or only such as do not say. */
  awakeSince: Date | null;
}

export interface Disk {
  freeBytes: number;
  totalBytes: number;
}

export interface HostFigures {
  host: string;
  /** At least so much, whatever the way to the database took; negative: behind. */
  clockAheadMs: number | null;
  /** Of the database; null: it cannot be seen from there. */
  disk: Disk | null;
}

export interface WatchFigures {
  /** How many run. */
  programs: number;
  engine: Crew;
  deliver: Crew;
  /** When each kind of work was last done to its end; delivering is forming letters and sending them. */
  lastDoneAt: Record<'sweep' | 'decide' | 'deliver', Date | null>;
  /** A new service, not yet looked at, waits for the sweep without being late. */
  isSweepDue: boolean;
  oldestTimerAt: Date | null;
  oldestDecisionAt: Date | null;
  /** Of the messages that are due: no attempt was made since. */
  oldestMessageAt: Date | null;
  /** The oldest that was tried in vain and waits for its next attempt. */
  oldestTriedMailAt: Date | null;
  /** Of these the oldest since which no mail has left. */
  stuckMailAt: Date | null;
  /** The oldest webhook that was tried in vain, and nothing at all has arrived since. */
  stuckWebhookAt: Date | null;
  /** Since when an alarm has reached nobody of its group, so that administrators are told; null: each reaches somebody. */
  lastResortAt: Date | null;
  /** There is no mail server, while somebody is to be told by mail. */
  isMailKept: boolean;
  /** With programs that cannot read how messages are to leave. */
  hostsWithoutKey: readonly string[];
  /** With programs that lost the thread that packs readings, within a day. */
  hostsWithoutPacking: readonly string[];
  lastMailAt: Date | null;
  lastWebhookAt: Date | null;
  hosts: readonly HostFigures[];
  /** Machines with a share of the readings that do not answer. */
  workersAway: readonly string[];
  /** Items of work that ended programs twice: kind and id. */
  setAside: readonly string[];
  /** null: there were none. */
  ends: EndFigures | null;
}

/** Of programs that ended without having been told to, within a day. */
export interface EndFigures {
  standstills: number;
  deaths: number;
  lastAt: Date;
  lastHost: string;
  /** Where the last one that stood still did; null: none did, or nobody saw it. */
  place: string | null;
}

interface Kind {
  component: 'database' | 'clock' | 'outbox' | 'readings' | 'disk';
  /** Critical: nobody should rely on being told. The heartbeat stops. */
  severity: 'critical' | 'warning';
}

export const FINDINGS = {
  database_away: { component: 'database', severity: 'critical' },
  no_engine: { component: 'clock', severity: 'critical' },
  timers_late: { component: 'clock', severity: 'critical' },
  sweep_failing: { component: 'clock', severity: 'critical' },
  clock_differs: { component: 'clock', severity: 'critical' },
  set_aside: { component: 'clock', severity: 'warning' },
  program_ended: { component: 'clock', severity: 'warning' },
  no_deliverer: { component: 'outbox', severity: 'critical' },
  decisions_late: { component: 'outbox', severity: 'critical' },
  decide_failing: { component: 'outbox', severity: 'critical' },
  messages_late: { component: 'outbox', severity: 'critical' },
  deliver_failing: { component: 'outbox', severity: 'critical' },
  mail_kept: { component: 'outbox', severity: 'critical' },
  settings_unread: { component: 'outbox', severity: 'critical' },
  mail_stuck: { component: 'outbox', severity: 'critical' },
  webhooks_stuck: { component: 'outbox', severity: 'critical' },
  nobody_reached: { component: 'outbox', severity: 'critical' },
  packing_lost: { component: 'readings', severity: 'warning' },
  worker_away: { component: 'database', severity: 'warning' },
  mail_delayed: { component: 'outbox', severity: 'warning' },
  disk_full: { component: 'disk', severity: 'critical' },
  disk_filling: { component: 'disk', severity: 'warning' },
} as const satisfies Record<string, Kind>;

export type FindingName = keyof typeof FINDINGS;

interface FindingWords {
  trouble: string;
  advice: string;
}

export interface Finding extends Kind, FindingWords {
  name: FindingName;
  /** What programs and logs say, as its reader does. */
  sayIn: (language: Language) => FindingWords;
}

const MOST_NAMED = 10;
export const BEAT_LATE_MS = 15_000;
const TIMERS_LATE_MS = 30_000;
const LATE_MS = 60_000;
const CLOCK_DIFFERS_MS = 2_000;
const MEBIBYTE = 1024 ** 2;
const DISK_FULL_BYTES = 500 * MEBIBYTE;
const DISK_FILLING_BYTES = 2048 * MEBIBYTE;
const DISK_FILLING_SHARE = 0.1;

const find = (name: FindingName, sayIn: Finding['sayIn']): Finding => ({
  name,
  ...FINDINGS[name],
  ...sayIn(english),
  sayIn,
});

export const findUnreadable = (cause: string): Finding =>
  find('database_away', ({ say }) => ({
    trouble: say('The database does not say how the service fares ({cause})', { cause }),
    advice: say(
      'While it does not answer, nothing is judged and nobody is notified: check that it runs, and what its log says.',
    ),
  }));

/** Everything that is wrong, in the order of the table above. An idle service has nothing late. */
export function findTroubles(figures: WatchFigures, now: Date): Finding[] {
  const found = [
    ...findMissingPrograms(figures, now),
    ...findLateWork(figures, now),
    ...findFailingWork(figures, now),
    ...findStuckMessages(figures, now),
    ...findUnreached(figures, now),
    ...findSetAside(figures),
    ...findEnds(figures),
    ...findLostPacking(figures),
    ...findHostTroubles(figures),
    ...findMissingWorkers(figures),
  ];
  const names = Object.keys(FINDINGS);
  return found.sort((one, other) => names.indexOf(one.name) - names.indexOf(other.name));
}

const isAbsent = ({ lastBeatAt }: Crew, now: Date): boolean =>
  lastBeatAt === null || now.getTime() - lastBeatAt.getTime() > BEAT_LATE_MS;

function* findMissingPrograms({ engine, deliver }: WatchFigures, now: Date): Generator<Finding> {
  if (isAbsent(engine, now))
    yield find('no_engine', ({ say }) => ({
      trouble: say('No program runs the clock: timers do not fire'),
      advice: say('Start one with the role engine, or see in its log why it stands still.'),
    }));
  if (isAbsent(deliver, now))
    yield find('no_deliverer', ({ say }) => ({
      trouble: say('No program decides and delivers: nobody is notified of anything'),
      advice: say('Start one with the role deliver, or see in its log why it stands still.'),
    }));
}

/** Whoever was away or asleep gets time to catch up: what became due meanwhile is late from the return on. */
const waitedMs = (since: Date | null, { awakeSince }: Crew, now: Date): number =>
  since === null ? 0 : now.getTime() - Math.max(since.getTime(), awakeSince?.getTime() ?? 0);

const adviseOn = (role: 'engine' | 'deliver', { say }: Language): string =>
  // For translators: engine and deliver, and what is quoted, stay as they are
  role === 'engine'
    ? say(
        'On the programs with the role engine, see "clock task failed" in the log, and whether database and machine are overloaded.',
      )
    : say(
        'On the programs with the role deliver, see "clock task failed" in the log, and whether database and machine are overloaded.',
      );

function* findLateWork(figures: WatchFigures, now: Date): Generator<Finding> {
  const { engine, deliver, oldestTimerAt, oldestDecisionAt, oldestMessageAt } = figures;
  const timer = waitedMs(oldestTimerAt, engine, now);
  if (timer > TIMERS_LATE_MS)
    yield find('timers_late', (language) => ({
      trouble: language.say('Alarms are judged late: a timer has been due for {span}', {
        span: describeSpan(timer, language),
      }),
      advice: adviseOn('engine', language),
    }));
  const decision = waitedMs(oldestDecisionAt, deliver, now);
  if (decision > LATE_MS)
    yield find('decisions_late', (language) => ({
      trouble: language.say('Notifications are decided late: something has waited for {span}', {
        span: describeSpan(decision, language),
      }),
      advice: adviseOn('deliver', language),
    }));
  const letter = waitedMs(oldestMessageAt, deliver, now);
  if (letter > LATE_MS)
    yield find('messages_late', (language) => ({
      trouble: language.say('Messages leave late: one has been due for {span} without an attempt', {
        span: describeSpan(letter, language),
      }),
      advice: adviseOn('deliver', language),
    }));
}

const SUCCEEDED_LAST = {
  sweep: message('No sweep has succeeded for {span} while work waits'),
  decision: message('No decision has succeeded for {span} while work waits'),
  delivery: message('No delivery has succeeded for {span} while work waits'),
} as const;

function* findFailingWork(figures: WatchFigures, now: Date): Generator<Finding> {
  const { engine, deliver, lastDoneAt, isSweepDue, oldestDecisionAt, oldestMessageAt } = figures;
  const kinds = [
    ['sweep_failing', 'sweep', engine, lastDoneAt.sweep, isSweepDue],
    ['decide_failing', 'decision', deliver, lastDoneAt.decide, oldestDecisionAt !== null],
    ['deliver_failing', 'delivery', deliver, lastDoneAt.deliver, oldestMessageAt !== null],
  ] as const;
  for (const [name, work, crew, doneAt, isWaiting] of kinds) {
    const span = waitedMs(doneAt ?? crew.awakeSince, crew, now);
    if (isWaiting && span > LATE_MS)
      yield find(name, (language) => ({
        trouble: language.say(SUCCEEDED_LAST[work], { span: describeSpan(span, language) }),
        advice: language.say('The log says why, at "clock task failed".'),
      }));
  }
}

function* findStuckMessages(figures: WatchFigures, now: Date): Generator<Finding> {
  const { deliver, isMailKept, hostsWithoutKey, oldestTriedMailAt, stuckMailAt, stuckWebhookAt } = figures;
  if (isMailKept)
    yield find('mail_kept', ({ say }) => ({
      trouble: say('No mail leaves: there is no mail server, and who is notified by mail is not reached'),
      advice: say(
        'Set one up, and send a test to each group. Until then mail is kept here, for administrators to read.',
      ),
    }));
  if (hostsWithoutKey.length > 0)
    yield find('settings_unread', ({ say }) => ({
      trouble: say('A program on {hosts} cannot read how messages are to leave: it has not the key', {
        hosts: hostsWithoutKey.join(', '),
      }),
      advice: say(
        'Give every program the same TOCSIN_KEY, or the file delivery.key of the one that stored it; or remove on the page Delivery what cannot be read, and set it anew.',
      ),
    }));
  const stuck = waitedMs(stuckMailAt, deliver, now);
  const delayed = waitedMs(oldestTriedMailAt, deliver, now);
  if (stuck > LATE_MS)
    yield find('mail_stuck', (language) => ({
      trouble: language.say('No mail leaves: one has been tried in vain for {span}', {
        span: describeSpan(stuck, language),
      }),
      advice: language.say(
        'Check the mail server, on the page Delivery or in SMTP_URL; the last errors stand at the deliveries on the page of the service.',
      ),
    }));
  else if (delayed > LATE_MS)
    yield find('mail_delayed', (language) => ({
      trouble: language.say('Mail leaves, but one has been tried in vain for {span}', {
        span: describeSpan(delayed, language),
      }),
      advice: language.say(
        'Its recipient may not exist, or the mail server holds it back; the last errors stand at the deliveries on the page of the service.',
      ),
    }));
  const webhook = waitedMs(stuckWebhookAt, deliver, now);
  if (webhook > LATE_MS)
    yield find('webhooks_stuck', (language) => ({
      trouble: language.say('Nothing arrives: a webhook has been tried in vain for {span}', {
        span: describeSpan(webhook, language),
      }),
      advice: language.say(
        'Check the way from here to its receiver, and the receiver; the last errors stand at the deliveries on the page of the service.',
      ),
    }));
}

function* findUnreached({ lastResortAt }: WatchFigures, now: Date): Generator<Finding> {
  if (lastResortAt === null) return;
  const ms = Math.max(0, now.getTime() - lastResortAt.getTime());
  yield find('nobody_reached', (language) => ({
    trouble: language.say(
      'An alarm has reached nobody of its group for {span}: administrators are notified instead',
      { span: describeSpan(ms, language) },
    ),
    advice: language.say(
      'Acknowledge it, and see on the page of its group who is notified when: somebody must be on duty, at a way that works.',
    ),
  }));
}

function* findMissingWorkers({ workersAway }: WatchFigures): Generator<Finding> {
  if (workersAway.length === 0) return;
  yield find('worker_away', ({ say }) => ({
    trouble: say('The coordinator of the database does not reach {workers}', {
      workers: workersAway.join(', '),
    }),
    advice: say(
      'Alarms go on, and readings are taken; charts and limits of services whose readings are there fail until it is back.',
    ),
  }));
}

function* findLostPacking({ hostsWithoutPacking }: WatchFigures): Generator<Finding> {
  if (hostsWithoutPacking.length === 0) return;
  yield find('packing_lost', ({ say }) => ({
    trouble: say(
      'The thread that packs readings was lost on {hosts}: they are packed beside everything else',
      { hosts: hostsWithoutPacking.join(', ') },
    ),
    advice: say(
      'Under load posts take longer by it. The log says why, at "the thread that packs readings was lost"; a restart begins it anew.',
    ),
  }));
}

function* findSetAside({ setAside }: WatchFigures): Generator<Finding> {
  if (setAside.length === 0) return;
  const items = setAside.slice(0, MOST_NAMED).join(', ');
  const rest = setAside.length - MOST_NAMED;
  yield find('set_aside', ({ say }) => ({
    trouble:
      rest > 0
        ? say('Set aside, because it ended the program twice: {items}, and {rest} more', { items, rest })
        : say('Set aside, because it ended the program twice: {items}', { items }),
    advice: say(
      'It is not done by itself any more. See what is special about it, change or delete it, and let it come again with tocsin release.',
    ),
  }));
}

function sayEnds({ standstills, deaths, place }: EndFigures, { say }: Language): string {
  const stood = { standstills, place: place ?? '' };
  if (deaths === 0)
    return place
      ? say('{standstills, plural, =1 {once} other {# times}} because it stood still, in {place}', stood)
      : say('{standstills, plural, =1 {once} other {# times}} because it stood still', { standstills });
  const died = say('{deaths, plural, =1 {once} other {# times}} because it died', { deaths });
  if (standstills === 0) return died;
  return place
    ? say('{standstills, plural, =1 {once} other {# times}} because it stood still, in {place}, and {died}', {
        ...stood,
        died,
      })
    : say('{standstills, plural, =1 {once} other {# times}} because it stood still, and {died}', {
        standstills,
        died,
      });
}

function* findEnds({ ends }: WatchFigures): Generator<Finding> {
  if (ends === null) return;
  const { lastAt, lastHost: host } = ends;
  yield find('program_ended', (language) => ({
    trouble: language.say(
      'A program was begun again within the last 24 hours, {why}; last on {host} at {time}',
      { why: sayEnds(ends, language), host, time: formatMinute(lastAt) },
    ),
    advice: language.say(
      'Its log says more, at "it is begun again". Tell those who make Tocsin, and see whether there is a newer version.',
    ),
  }));
}

/** Of several hosts the worst speaks. */
function* findHostTroubles({ hosts }: WatchFigures): Generator<Finding> {
  const [worst] = hosts
    .map(({ host, clockAheadMs }) => ({ host, aheadMs: clockAheadMs ?? 0 }))
    .sort((one, other) => Math.abs(other.aheadMs) - Math.abs(one.aheadMs));
  if (worst && Math.abs(worst.aheadMs) > CLOCK_DIFFERS_MS)
    yield find('clock_differs', (language) => {
      const { host, aheadMs } = worst;
      const facts = { host, span: describeSpan(Math.abs(aheadMs), language) };
      return {
        trouble:
          aheadMs > 0
            ? language.say('The clock of {host} is {span} ahead of that of the database', facts)
            : language.say('The clock of {host} is {span} behind that of the database', facts),
        advice: language.say('Let a time service (NTP) set the clocks of both machines.'),
      };
    });
  const disk = findFullestDisk(hosts);
  if (!disk) return;
  const facts = { free: describeBytes(disk.freeBytes), total: describeBytes(disk.totalBytes) };
  if (disk.freeBytes < DISK_FULL_BYTES)
    yield find('disk_full', ({ say }) => ({
      trouble: say('The disk of the database is nearly full: {free} of {total} are left', facts),
      advice: say('Make room now: once it is full nothing is stored or judged, and nobody is notified.'),
    }));
  else if (disk.freeBytes < DISK_FILLING_BYTES && disk.freeBytes < DISK_FILLING_SHARE * disk.totalBytes)
    yield find('disk_filling', ({ say }) => ({
      trouble: say('The disk of the database is filling: {free} of {total} are left', facts),
      advice: say(
        'Make room, or keep readings for a shorter time: in the settings of organizations, or with TOCSIN_RETENTION_DAYS.',
      ),
    }));
}

export const findFullestDisk = (hosts: readonly HostFigures[]): Disk | null =>
  hosts.flatMap(({ disk }) => disk ?? []).sort((one, other) => one.freeBytes - other.freeBytes)[0] ?? null;

const describeBytes = (bytes: number): string =>
  bytes < 1024 * MEBIBYTE
    ? `${Math.floor(bytes / MEBIBYTE)} MiB`
    : `${(Math.floor(bytes / (102.4 * MEBIBYTE)) / 10).toFixed(1)} GiB`;
