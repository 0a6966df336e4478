// Random days in a lab: the real service beside a model that works everything out minute by minute from the list of
// readings. It is written from the sentences of Contract, Judging, and shares no code with the judge.
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { formatInstant } from '../../src/domain/instant.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { minutes, STORY_BEGINS_AT, seconds } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

type Minute = number;
type Severity = 'critical' | 'warning';

interface Band {
  severity: Severity;
  side: 'high' | 'low';
  limit: number;
  sustained: number;
}

interface Unit {
  channels: string[];
  bands: Band[];
  staleAfter: number;
  /** The line of the lab file that leads to `staleAfter`. */
  freshness: (device: string) => Record<string, unknown>;
  /** `default` makes every metric channel a judged one. */
  limitsOf: string;
}

const band = (severity: Severity, side: Band['side'], limit: number, sustained: number): Band => ({
  severity,
  side,
  limit,
  sustained,
});

const UNITS: [Unit, Unit, Unit] = [
  {
    channels: ['temperature'],
    bands: [band('critical', 'high', 10, 0), band('warning', 'high', 5, 0), band('critical', 'low', -10, 3)],
    staleAfter: 15,
    freshness: () => ({ stale_after_minutes: 15 }),
    limitsOf: 'temperature',
  },
  {
    channels: ['temperature'],
    bands: [
      band('critical', 'high', 10, 7),
      band('warning', 'high', 5, 4),
      band('warning', 'low', -5, 0),
      band('critical', 'low', -10, 2),
    ],
    staleAfter: 20,
    freshness: (device) => ({ device: { key: device, uplink_interval_minutes: 10 }, stale_after_minutes: 0 }),
    limitsOf: 'temperature',
  },
  {
    channels: ['temperature', 'probe'],
    bands: [band('critical', 'high', 10, 5), band('warning', 'high', 5, 10), band('warning', 'low', -5, 0)],
    staleAfter: Number.POSITIVE_INFINITY,
    freshness: () => ({ stale_after_minutes: 0 }),
    limitsOf: 'default',
  },
];

interface Reading {
  at: Minute;
  value: number;
}

interface Acknowledgement {
  severity: Severity;
  by: string;
  at: Minute;
}

interface Downtime {
  from: Minute;
  until: Minute;
  reason: string;
}

/** What is known of one service. Every minute is judged on its own, from all readings up to it. */
class ModelledService {
  readonly judged = new Map<string, Reading[]>();
  readonly acknowledgements: Acknowledgement[] = [];
  readonly downtimes: Downtime[] = [];
  /** Every change of severity, in order. */
  readonly changes: string[] = [];
  shown: { severity: Severity; since: Minute } | null = null;

  constructor(
    readonly unit: Unit,
    readonly createdAt: Minute,
  ) {}

  /** Only what is newer than the newest reading of its channel is judged. */
  take(channel: string, reading: Reading, now: Minute): void {
    const readings = this.judged.get(channel) ?? [];
    const newest = readings.at(-1);
    if (newest && reading.at <= newest.at) return;
    this.judged.set(channel, [...readings, reading]);
    // What was shown is not taken back: nothing changes before the current severity began.
    this.live(Math.max(reading.at, this.shown?.since ?? reading.at), now);
  }

  /** Lives through the minutes one by one. */
  live(from: Minute, until: Minute): void {
    for (let minute = from; minute <= until; minute += 1) {
      const severity = this.severityAt(minute);
      if (severity === null) this.acknowledgements.length = 0;
      if (severity === (this.shown?.severity ?? null)) continue;
      this.changes.push(`${this.shown?.severity ?? 'normal'} to ${severity ?? 'normal'}`);
      this.shown = severity && { severity, since: minute };
    }
  }

  severityAt(minute: Minute): Severity | null {
    const severities = this.unit.channels.map((channel) => this.channelSeverityAt(channel, minute));
    return severities.find((severity) => severity === 'critical') ?? severities.find(Boolean) ?? null;
  }

  channelSeverityAt(channel: string, minute: Minute): Severity | null {
    const active = this.unit.bands.filter((each) => this.isActive(each, channel, minute));
    return (active.find(({ severity }) => severity === 'critical') ?? active[0])?.severity ?? null;
  }

  /** Breached by every reading since one that is at least `sustained` minutes old. */
  isActive({ side, limit, sustained }: Band, channel: string, minute: Minute): boolean {
    const past = (this.judged.get(channel) ?? []).filter(({ at }) => at <= minute).reverse();
    const back = past.findIndex(({ value }) => !(side === 'high' ? value > limit : value < limit));
    const first = (back < 0 ? past : past.slice(0, back)).at(-1);
    return first !== undefined && first.at + sustained <= minute;
  }

  /** The channels that may be shown: those at the service's severity that became so last. */
  shownChannels(now: Minute): string[] {
    const { shown } = this;
    if (!shown) return [];
    const beginnings = this.unit.channels
      .filter((channel) => this.channelSeverityAt(channel, now) === shown.severity)
      .map((channel) => {
        let since = now;
        while (this.channelSeverityAt(channel, since - 1) === shown.severity) since -= 1;
        return { channel, since };
      });
    const last = Math.max(...beginnings.map(({ since }) => since));
    return beginnings.filter(({ since }) => since === last).map(({ channel }) => channel);
  }

  lastTelemetryAt(): Minute | null {
    const times = [...this.judged.values()].flat().map(({ at }) => at);
    return times.length === 0 ? null : Math.max(...times);
  }

  staleSince(now: Minute): Minute | null {
    const since = (this.lastTelemetryAt() ?? this.createdAt) + this.unit.staleAfter;
    return since <= now ? since : null;
  }

  isInDowntime = (now: Minute) => this.downtimes.some(({ from, until }) => from <= now && now < until);
}

type Who = 'oscar' | 'ada';
type Step =
  | { do: 'read'; unit: number; channel: number; value: number }
  /** Older than the clock, some older than what was judged already. */
  | { do: 'read late'; unit: number; value: number; minutesAgo: number }
  /** The next one of a gateway that lags behind. */
  | { do: 'read delayed'; unit: number; value: number; minutesLater: number }
  | { do: 'read ahead'; unit: number; value: number; minutesAhead: number }
  | { do: 'acknowledge'; unit: number; who: Who }
  | { do: 'unacknowledge'; unit: number; who: Who }
  | { do: 'mute'; unit: number; who: Who }
  | { do: 'unmute'; unit: number; who: Who }
  | { do: 'schedule'; unit: number; startsIn: number; lasts: number }
  | { do: 'cancel'; which: number }
  | { do: 'wait'; minutes: number };

const anyUnit = fc.nat({ max: UNITS.length - 1 });
/** With two channels, what began when one channel's reading arrives late is nobody's sentence. */
const oneChannel = fc.nat({ max: 1 });
const span = (min: number, max: number) => fc.integer({ min, max });
const anyWho = fc.constantFrom<Who>('oscar', 'ada');
/** Around every limit, and exactly at it. */
const anyValue = fc.constantFrom(-15, -10, -7, -5, 0, 0, 5, 7, 7, 10, 15, 15);
const step = <Kind extends Step['do']>(
  kind: Kind,
  rest: {
    [Key in keyof Omit<Extract<Step, { do: Kind }>, 'do'>]: fc.Arbitrary<Extract<Step, { do: Kind }>[Key]>;
  },
) => fc.record({ do: fc.constant(kind), ...rest }) as unknown as fc.Arbitrary<Step>;

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: step('read', { unit: anyUnit, channel: fc.nat({ max: 1 }), value: anyValue }) },
  {
    weight: 2,
    arbitrary: step('read late', { unit: oneChannel, value: anyValue, minutesAgo: span(1, 12) }),
  },
  {
    weight: 4,
    arbitrary: step('read delayed', { unit: oneChannel, value: anyValue, minutesLater: span(1, 6) }),
  },
  {
    weight: 1,
    arbitrary: step('read ahead', { unit: anyUnit, value: anyValue, minutesAhead: fc.nat({ max: 9 }) }),
  },
  { weight: 5, arbitrary: step('acknowledge', { unit: anyUnit, who: anyWho }) },
  { weight: 2, arbitrary: step('unacknowledge', { unit: anyUnit, who: anyWho }) },
  { weight: 1, arbitrary: step('mute', { unit: anyUnit, who: anyWho }) },
  { weight: 1, arbitrary: step('unmute', { unit: anyUnit, who: anyWho }) },
  {
    weight: 1,
    arbitrary: step('schedule', {
      unit: anyUnit,
      startsIn: span(-5, 8),
      lasts: span(1, 12),
    }),
  },
  { weight: 1, arbitrary: step('cancel', { which: fc.nat({ max: 3 }) }) },
  {
    weight: 8,
    arbitrary: step('wait', {
      minutes: fc.oneof(span(1, 6), span(1, 6), span(1, 25)),
    }),
  },
);

type Freezer = Awaited<ReturnType<Lab['freezer']>>;

interface Day {
  lab: Lab;
  now: Minute;
  freezers: { freezer: Freezer; name: string; model: ModelledService }[];
  /** Service, channel and minute of every reading that was handed in. */
  stored: Set<string>;
  scheduled: number;
}

const show = (minute: Minute | null) =>
  minute === null ? null : formatInstant(new Date(STORY_BEGINS_AT.getTime() + minutes(minute)));

async function beginDay(): Promise<Day> {
  server.clock.advance(STORY_BEGINS_AT.getTime() - server.clock.read().getTime());
  const lab = await openLab(server);
  const freezers: Day['freezers'] = [];
  for (const [index, unit] of UNITS.entries()) {
    const name = `Unit ${index}`;
    const bands = Object.fromEntries(
      unit.bands.map(({ severity, side, limit, sustained }) => [
        `${severity}_${side}`.toUpperCase(),
        { limit, sustained },
      ]),
    );
    const device = `unit-${index}-${lab.secret}`;
    const freezer = await lab.freezer({
      name,
      device: { key: device },
      channels: unit.channels.map((channel) => ({ name: channel, kind: 'metric' })),
      limits: [{ channel: unit.limitsOf, bands }],
      ...unit.freshness(device),
    });
    freezers.push({ freezer: { ...freezer, device }, name, model: new ModelledService(unit, 0) });
  }
  return { lab, now: 0, freezers, stored: new Set(), scheduled: 0 };
}

const post = async (
  day: Day,
  { freezer }: Day['freezers'][number],
  channel: string,
  at: number,
  value: number,
) => {
  const answer = await day.lab.post({ device: freezer.device, time: at, values: { [channel]: value } });
  return (await answer.json()) as { accepted: number; duplicates: number };
};

const instantOf = (minute: Minute) => STORY_BEGINS_AT.getTime() + minutes(minute);

async function wait(day: Day, count: number): Promise<void> {
  await day.lab.advance(minutes(count));
  for (const { model } of day.freezers) model.live(day.now + 1, day.now + count);
  day.now += count;
}

async function take(day: Day, each: Step): Promise<void> {
  const { lab } = day;
  if (each.do === 'wait') return wait(day, each.minutes);
  if (each.do === 'cancel') return cancel(day, each.which);
  const place = day.freezers[each.unit];
  if (!place) throw new Error('There is no such unit');
  const { model, freezer } = place;
  const path = `/api/v1/services/${freezer.id}`;

  switch (each.do) {
    case 'read':
    case 'read late':
    case 'read delayed': {
      const channel = model.unit.channels[each.do === 'read' ? each.channel : 0] ?? 'temperature';
      const at =
        each.do === 'read'
          ? day.now
          : each.do === 'read late'
            ? day.now - each.minutesAgo
            : Math.min(day.now, (model.lastTelemetryAt() ?? day.now) + each.minutesLater);
      const key = `${freezer.id} ${channel} ${at}`;
      const isKnown = day.stored.has(key);
      day.stored.add(key);
      expect(await post(day, place, channel, instantOf(at), each.value)).toEqual({
        accepted: isKnown ? 0 : 1,
        duplicates: isKnown ? 1 : 0,
        rejected: [],
      });
      model.take(channel, { at, value: each.value }, day.now);
      return;
    }
    case 'read ahead': {
      // On a minute of its own, and stored between two minutes: it meets no other reading.
      await wait(day, 1);
      const ahead = instantOf(day.now + each.minutesAhead) + seconds(30) + day.now;
      expect((await post(day, place, 'temperature', ahead, each.value)).accepted).toBe(1);
      model.take('temperature', { at: day.now, value: each.value }, day.now);
      return wait(day, 1);
    }
    case 'acknowledge': {
      const { shown, acknowledgements } = model;
      const isNew = shown !== null && acknowledgements.every(({ severity }) => severity !== shown.severity);
      const answer = await lab[each.who].post(`/api/v1/alarms/${freezer.id}/acknowledge`);
      expect(answer.status).toBe(isNew ? 200 : 409);
      if (isNew) acknowledgements.push({ severity: shown.severity, by: lab[each.who].name, at: day.now });
      return;
    }
    case 'unacknowledge': {
      const removed = model.acknowledgements.pop();
      const answer = await lab[each.who].post(`/api/v1/alarms/${freezer.id}/unacknowledge`);
      expect(answer.status).toBe(removed ? 200 : 409);
      return;
    }
    case 'mute':
    case 'unmute':
      expect(await (await lab[each.who].post(`${path}/${each.do}`)).json()).toEqual({
        status: `${each.do}d`,
        service_id: freezer.id,
      });
      return;
    case 'schedule': {
      day.scheduled += 1;
      const from = day.now + each.startsIn;
      const until = from + each.lasts;
      const reason = `Window ${day.scheduled}`;
      const answer = await lab.oscar.post('/api/v1/downtimes', {
        service_id: String(freezer.id),
        start_time: new Date(instantOf(from)).toISOString().slice(0, 16).concat('Z'),
        end_time: new Date(instantOf(until)).toISOString().slice(0, 16).concat('Z'),
        reason,
      });
      expect(answer.status).toBe(until <= day.now ? 400 : 303);
      if (until > day.now) model.downtimes.push({ from, until, reason });
    }
  }
}

async function cancel(day: Day, which: number): Promise<void> {
  const listed = (await (await day.lab.vera.get('/api/v1/downtimes')).json()) as {
    id: number;
    reason: string;
  }[];
  const active = day.freezers.flatMap(({ model }) =>
    model.downtimes.filter(({ from, until }) => from <= day.now && day.now < until),
  );
  expect(listed.map(({ reason }) => reason).sort()).toEqual(active.map(({ reason }) => reason).sort());
  const chosen = listed[which];
  if (!chosen) return;
  expect((await day.lab.ada.delete(`/api/v1/downtimes/${chosen.id}`)).status).toBe(200);
  for (const { model } of day.freezers) {
    const index = model.downtimes.findIndex(({ reason }) => reason === chosen.reason);
    if (index >= 0) model.downtimes.splice(index, 1);
  }
}

const RANK = { critical: 0, warning: 1, stale: 2 };

/** The alarms list as the model has it; `channel` holds all that may be shown. */
const expectList = ({ freezers, now }: Day) =>
  freezers
    .flatMap(({ freezer, name, model }) => {
      const staleSince = model.staleSince(now);
      const triggeredAt = model.shown?.since ?? staleSince;
      if (triggeredAt === null || model.isInDowntime(now)) return [];
      const newest = model.acknowledgements.at(-1);
      const severity: keyof typeof RANK = model.shown?.severity ?? 'stale';
      return [
        {
          order: { severity, triggeredAt, id: freezer.id },
          channels: model.shown ? model.shownChannels(now) : [null],
          entry: {
            service_id: freezer.id as number,
            service_name: name,
            severity,
            triggered_at: show(triggeredAt),
            acknowledged: newest !== undefined,
            acknowledged_by: newest?.by ?? null,
            acknowledged_at: show(newest?.at ?? null),
            is_stale: staleSince !== null,
            last_telemetry_time: show(model.lastTelemetryAt()),
            stale_since: show(staleSince),
          },
        },
      ];
    })
    .sort(
      ({ order: one }, { order: other }) =>
        RANK[one.severity] - RANK[other.severity] || other.triggeredAt - one.triggeredAt || other.id - one.id,
    );

async function compare(day: Day, after: string): Promise<void> {
  const expected = expectList(day);
  const actual = await day.lab.alarms();
  expect(
    actual.map((alarm) => ({
      service_id: alarm.service_id,
      service_name: alarm.service_name,
      severity: alarm.severity,
      triggered_at: alarm.triggered_at,
      acknowledged: alarm.acknowledged,
      acknowledged_by: alarm.acknowledged_by,
      acknowledged_at: alarm.acknowledged_at,
      is_stale: alarm.is_stale,
      last_telemetry_time: alarm.last_telemetry_time,
      stale_since: alarm.stale_since,
    })),
    after,
  ).toEqual(expected.map(({ entry }) => entry));
  for (const [index, { channels }] of expected.entries()) {
    expect(channels, after).toContain(actual[index]?.channel);
  }
  for (const { freezer, model } of day.freezers) {
    expect(await changesOf(freezer), after).toEqual(model.changes);
  }
}

/** What people are told of. */
const changesOf = async ({ id }: Freezer) =>
  (
    await server.db.query<{ line: string }>(sql`
      select from_severity || ' to ' || to_severity as "line" from alarm_event
      where service_id = ${id} and from_severity <> to_severity order by id`)
  ).map(({ line }) => line);

test('the service and the model agree after every step of any day', async () => {
  let alarmsSeen = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 25, size: 'max' }), async (steps) => {
      const day = await beginDay();
      for (const [index, each] of steps.entries()) {
        await take(day, each);
        await compare(day, `after step ${index + 1}: ${JSON.stringify(each)}`);
        alarmsSeen += expectList(day).length;
      }
    }),
    // Shrinking stops in time for the report; a clean run is not cut short.
    { numRuns: 30, interruptAfterTimeLimit: 45_000 },
  );
  expect(alarmsSeen, 'the days were not all quiet').toBeGreaterThan(25);
});
