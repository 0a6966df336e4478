// What was foretold for a moment is what is decided when an alarm really begins there: any group, rota, hours, methods,
// flags, mute and downtimes, against the decision asked every minute, as the clock does, with what is stored in between.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { finish } from '../../../test/support/finish.ts';
import type { ContactMethod } from '../on-call/contact-method.ts';
import { DURINGS } from '../on-call/lab-hours.ts';
import { nameRecipient, type Recipient } from '../on-call/recipient.ts';
import type { Rota } from '../on-call/rota.ts';
import { decide } from './decide.ts';
import { type DrillSoFar, decideDrill, foretellDrill } from './drill.ts';
import { foretell, serviceOf } from './foretell.ts';
import { findGaps } from './gaps.ts';
import { LAST_RESORT, type Ladder, type StepTarget } from './ladder.ts';
import type { OpenedStep, Situation, Told } from './situation.ts';
import { BEGINNINGS, type Beginning } from './subject.ts';

const START = Date.parse('2026-10-24T12:00:00Z');
const at = (minute: number) => new Date(START + minute * 60_000);
const WATCHED_MINUTES = 6 * 60;
const RUNS = Number(process.env.TOCSIN_FORETELL_RUNS ?? 40);
/** Thousands take their time on a busy machine. */
const timeout = 600_000 + RUNS * 1_000;
const PEOPLE = [1, 2, 3, 4];

const account = (id: number): Recipient => ({
  transport: 'email',
  recipient: `p${id}@lab.example`,
  accountId: id,
  accountName: `P${id}`,
});

const clock = fc
  .record({ hour: fc.nat(23), minute: fc.constantFrom(0, 15, 30) })
  .map(({ hour, minute }) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);

const anyRota: fc.Arbitrary<Rota> = fc
  .record({
    handover: clock,
    length: fc.integer({ min: 1, max: 2 }),
    begins: fc.constantFrom('2026-10-20', '2026-10-25', '2026-10-26'),
    members: fc.array(fc.constantFrom(...PEOPLE), { maxLength: 3 }),
    present: fc.subarray(PEOPLE),
    standIns: fc.array(fc.record({ from: fc.nat(600), length: fc.integer({ min: 1, max: 300 }) }), {
      maxLength: 2,
    }),
  })
  .map(({ handover, length, begins, members, present, standIns }) => ({
    id: 7,
    timeZone: 'Europe/Berlin',
    versions: [
      { version: 1, fromDate: begins, handover, every: 'day' as const, length, members },
    ] as Rota['versions'],
    standIns: standIns.map((one, index) => ({
      id: index + 1,
      startAt: at(one.from),
      endAt: at(one.from + one.length),
      accountId: PEOPLE[index] ?? 1,
      insteadOfId: null,
    })),
    present: new Set(present),
  }));

const anyMethod = fc.record({
  accountId: fc.constantFrom(...PEOPLE),
  kind: fc.constantFrom<ContactMethod['kind']>('email', 'sms', 'push', 'voice'),
  afterMinutes: fc.constantFrom(0, 0, 5, 20),
  onlyCritical: fc.boolean(),
  during: fc.constantFrom(...DURINGS),
});

const anyTarget = fc.record({
  step: fc.nat(2),
  during: fc.constantFrom(...DURINGS, 'always' as const),
  who: fc.constantFrom<'rota' | 'webhook' | 'account'>('rota', 'webhook', 'account', 'account'),
  id: fc.constantFrom(...PEOPLE),
});

const anyLadder: fc.Arbitrary<Ladder> = fc
  .record({
    gaps: fc.array(fc.constantFrom(1, 5, 15, 60), { maxLength: 2 }),
    subjects: fc.subarray([...BEGINNINGS], { minLength: 1 }),
    targets: fc.array(anyTarget, { maxLength: 4 }),
    rota: anyRota,
    methods: fc.array(anyMethod, { maxLength: 4 }),
    hours: fc.option(fc.record({ from: clock, to: clock, holidays: fc.subarray(['2026-10-25']) })),
    administrators: fc.subarray([1, 2]),
  })
  .map(({ gaps, subjects, targets, rota, methods, hours, administrators }) => {
    let afterMinutes = 0;
    const steps = gaps.map((gap, index) => {
      afterMinutes += gap;
      return { step: index + 1, afterMinutes, subjects };
    });
    const own = methods.map((one, index) => ({ id: index + 50, address: `m${index}@lab.example`, ...one }));
    return {
      steps,
      targets: targets
        .filter(({ step }) => step <= steps.length)
        .map(
          ({ step, during, who, id }): StepTarget => ({
            step,
            during,
            recipient:
              who === 'rota'
                ? null
                : who === 'webhook'
                  ? { transport: 'webhook', recipient: String(id) }
                  : account(id),
            rotaId: who === 'rota' ? 7 : null,
          }),
        ),
      rotas: [rota],
      people: new Map(PEOPLE.map((id) => [id, account(id)])),
      hours: hours && {
        timeZone: 'Europe/Berlin',
        weekly: [{ days: [1, 2, 3, 4, 5, 6, 7], from: hours.from, to: hours.to }],
        holidays: hours.holidays,
      },
      administrators: administrators.map(account),
      methods: new Map(PEOPLE.map((id) => [id, own.filter(({ accountId }) => accountId === id)])),
    };
  });

interface World {
  ladder: Ladder;
  hasGroup: boolean;
  flags: { sendCritical: boolean; sendWarning: boolean; enableSystemNotifications: boolean };
  repeatIntervalMinutes: number;
  delayMinutes: number;
  begunAt: number;
  subject: Beginning;
  /** Minutes after it began at which somebody ends the mute; null: nobody muted it. */
  unmutedAfter: number | null;
  downtimes: { from: number; length: number }[];
}

const often = (share: number) => fc.nat(99).map((drawn) => drawn < share);

const anyWorld: fc.Arbitrary<World> = fc.record({
  ladder: anyLadder,
  hasGroup: often(95),
  flags: fc.record({ sendCritical: often(92), sendWarning: often(92), enableSystemNotifications: often(92) }),
  repeatIntervalMinutes: fc.constantFrom(0, 7, 60),
  delayMinutes: fc.constantFrom(0, 0, 3, 30),
  begunAt: fc.nat(2_000),
  subject: fc.constantFrom(...BEGINNINGS),
  unmutedAfter: fc.option(fc.nat(200), { freq: 5 }),
  downtimes: fc.array(
    fc.record({ from: fc.integer({ min: -100, max: 300 }), length: fc.integer({ min: 1, max: 120 }) }),
    {
      maxLength: 2,
    },
  ),
});

function open(world: World): Situation {
  const plain = serviceOf({ id: 1, name: 'Night', ladder: world.ladder });
  return {
    ...plain,
    group: world.hasGroup ? plain.group : null,
    delayMinutes: world.subject === 'stale' ? 0 : world.delayMinutes,
    settings: {
      ...plain.settings,
      ...world.flags,
      repeatIntervalMinutes: world.repeatIntervalMinutes,
      systemNotificationDelayMinutes: world.delayMinutes,
    },
    downtimes: world.downtimes.map(({ from, length }) => ({
      startAt: at(world.begunAt + from),
      endAt: at(world.begunAt + from + length),
      by: 'Ada',
    })),
  };
}

const line = (when: Date, step: number, recipients: readonly Recipient[]) =>
  `${(when.getTime() - START) / 60_000} ${step} ${recipients.map(nameRecipient).sort().join(', ')}`;

/** Every minute, with what a database holds in between: nobody asks when to look again. */
function live(world: World): string[] {
  const stored = open(world);
  const isStale = world.subject === 'stale';
  const told = new Map<string, Told>();
  const opened: Situation['climbed']['opened'][number][] = [];
  const lines: string[] = [];
  for (let minute = world.begunAt; minute <= world.begunAt + WATCHED_MINUTES; minute += 1) {
    const now = at(minute);
    const unmutedAt = world.unmutedAfter === null ? null : at(world.begunAt + world.unmutedAfter);
    const ends = [...stored.downtimes.map(({ endAt }) => endAt), ...(unmutedAt ? [unmutedAt] : [])]
      .filter((end) => end <= now)
      .map((end) => end.getTime());
    const topic = { id: told.size > 0 ? '5' : null, isClosed: false, told: [...told.values()] };
    const nothing = { id: null, isClosed: false, told: [] };
    const { notifications, opens } = decide(
      {
        ...stored,
        severity: isStale ? 'normal' : (world.subject as 'critical' | 'warning'),
        since: isStale ? null : at(world.begunAt),
        episodeId: isStale ? null : '5',
        stale: isStale ? { id: '5', noticedAt: at(world.begunAt) } : null,
        mutedBy: unmutedAt && now < unmutedAt ? 'Oscar' : null,
        downtimes: stored.downtimes.filter(({ endAt }) => endAt > now),
        suppressionEndedAt: ends.length > 0 ? new Date(Math.max(...ends)) : null,
        climbed: { opened, acknowledgementEnds: [], passedOn: null },
        toldBefore: {
          alarm: isStale ? nothing : topic,
          stale: isStale ? topic : nothing,
          failed: [],
        },
      },
      now,
    );
    opened.push(...opens);
    for (const { recipients, isRepeat, groupId, subject } of notifications) {
      for (const one of recipients)
        told.set(nameRecipient(one), {
          ...one,
          subject,
          groupId,
          at: now,
          isUnderWay: false,
          hasHeard: true,
          isRefused: false,
        });
      if (!isRepeat) lines.push(line(now, recipients[0]?.step ?? 0, recipients));
    }
  }
  return lines;
}

function foresee(world: World): string[] {
  const stored = open(world);
  const from = at(world.begunAt);
  const mute =
    world.unmutedAfter === null
      ? []
      : [{ startAt: new Date(0), endAt: at(world.begunAt + world.unmutedAfter), by: 'Oscar' }];
  const { told } = foretell({ ...stored, downtimes: [...stored.downtimes, ...mute] }, world.subject, {
    from,
    until: at(world.begunAt + WATCHED_MINUTES),
  });
  return told
    .filter(({ recipients }) => recipients.length > 0)
    .map(({ at: when, step, recipients }) => line(when, step, recipients));
}

test('what is foretold is what is told', { timeout }, () =>
  fc.assert(
    fc.property(anyWorld, (world) => {
      expect(foresee(world)).toEqual(live(world));
    }),
    { numRuns: RUNS },
  ),
);

test('a gap is where nobody would be told in time, at whatever moment one asks', { timeout }, () =>
  fc.assert(
    fc.property(
      anyLadder,
      fc.array(fc.nat(7 * 24 * 60 * 60 - 1), { minLength: 5, maxLength: 5 }),
      (ladder, seconds) => {
        const group = { id: 1, name: 'Night', ladder };
        const gaps = finish(findGaps(group, at(0), 1)).value.gaps.filter(({ kind }) => kind === 'nobody');
        for (const second of seconds) {
          const from = new Date(START + second * 1_000);
          const { told } = foretell(serviceOf(group), 'critical', {
            from,
            until: new Date(from.getTime() + 15 * 60_000),
          });
          const isTold = told.some(({ step, recipients }) => step < 9 && recipients.length > 0);
          const isGap = gaps.some(({ startAt, endAt }) => startAt <= from && from < endAt);
          expect(isGap).toBe(!isTold);
        }
      },
    ),
    { numRuns: RUNS },
  ),
);

test('a drill goes the way that was foretold', { timeout }, () =>
  fc.assert(
    fc.property(anyLadder, fc.nat(2_000), fc.boolean(), (ladder, minute, goesOn) => {
      const group = { id: 1, name: 'Night', ladder };
      const startedAt = at(minute);
      const soFar = { episodeId: '5', startedAt, opened: [] as OpenedStep[], told: [] as DrillSoFar['told'] };
      const lines: string[] = [];
      for (let now: Date | null = startedAt; now; ) {
        const when: Date = now;
        const { told, opens, lookAgainAt } = decideDrill(group, soFar, when);
        lines.push(...told.map(({ step, recipients }) => line(when, step, recipients)));
        soFar.opened = [...soFar.opened, ...opens];
        soFar.told = [
          ...soFar.told,
          ...told.flatMap(({ recipients }) => recipients.map((one) => ({ ...one, at: when }))),
        ];
        now = goesOn ? lookAgainAt : null;
      }
      const foretold = finish(foretellDrill(group, startedAt, goesOn))
        .value.told.filter(({ recipients }) => recipients.length > 0)
        .map(({ at: when, step, recipients }) => line(when, step, recipients));
      expect(foretold).toEqual(lines);
      expect(foretold.every((one) => !one.includes(` ${LAST_RESORT} `))).toBe(true);
    }),
    { numRuns: RUNS },
  ),
);
