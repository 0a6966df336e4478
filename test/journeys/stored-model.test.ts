// Readings at rest beside a plain map in which the first stored stays: whatever comes in whatever order over several
// programs, and whoever is ended at whatever stage, all who read back find what was answered.
import { Readable } from 'node:stream';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { groupBy } from '../../src/domain/group-by.ts';
import { DAY_MS } from '../../src/domain/readings/span.ts';
import { readTelemetry } from '../../src/domain/readings/telemetry.ts';
import { openRoad, type Road } from '../../src/engine/ingest/road.ts';
import { packInbox } from '../../src/engine/packing/pack-inbox.ts';
import { mergeParts } from '../../src/engine/readings/merge-parts.ts';
import { readChartSeries } from '../../src/engine/readings/read-series.ts';
import { readRows } from '../../src/features/services/export/read-rows.ts';
import { writeCsv } from '../../src/features/services/export/write-csv.ts';
import { selectService } from '../../src/features/services/shown-service/queries.ts';
import { runImport } from '../../src/features/telemetry/import-command.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { failingDatabase } from '../support/failing-database.ts';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { listStored, packAll } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

const RUNS = Number(process.env.TOCSIN_MODEL_RUNS ?? 40);
/** Where nobody asked for more. */
const TIME = process.env.TOCSIN_MODEL_RUNS ? {} : { interruptAfterTimeLimit: 15_000 };

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
});
const now = () => server.clock.read();

const CHANNELS = ['temperature', 'door'] as const;
const FREEZERS = [0, 1] as const;

interface Sent {
  freezer: (typeof FREEZERS)[number];
  channel: (typeof CHANNELS)[number];
  at: number;
  value: number;
}

/** By freezer and channel: by time, the value that was stored first. */
class Model {
  private readonly stored = new Map<string, Map<number, number>>();

  channel({ freezer, channel }: Pick<Sent, 'freezer' | 'channel'>): Map<number, number> {
    const name = `${freezer} ${channel}`;
    const known = this.stored.get(name) ?? new Map<number, number>();
    this.stored.set(name, known);
    return known;
  }

  /** Answers with what the service has to answer. */
  store(readings: readonly Sent[]) {
    let accepted = 0;
    for (const reading of readings) {
      const stored = this.channel(reading);
      if (stored.has(reading.at)) continue;
      stored.set(reading.at, reading.value);
      accepted += 1;
    }
    return { accepted, duplicates: readings.length - accepted };
  }

  list(freezer: Sent['freezer'], channel: Sent['channel']): [number, number][] {
    return [...this.channel({ freezer, channel })].sort(([one], [other]) => one - other);
  }

  times(): number[] {
    return [...this.stored.values()].flatMap((stored) => [...stored.keys()]);
  }
}

/** Where a program that packs, or one that takes readings, is ended. */
const STAGES = {
  'it may pack': /pg_try_advisory_xact_lock/,
  'it knows what waits': /select id, received_at/,
  'it has read what waits': /from reading_inbox where id = any/,
  'it has looked for the months': /pg_inherits/,
  'the parts are written and what waited is deleted': /delete from reading_inbox/,
  'it knows what is to be merged': /group by day, service_id/,
  'it has read the parts': /from reading_pack.*order by part/s,
  'the packs are written and the parts deleted': /delete from reading_pack/,
} as const;
type Stage = keyof typeof STAGES;

const offset = fc.oneof(
  fc.integer({ min: -minutes(15), max: minutes(9) }),
  fc.integer({ min: -hours(60), max: 0 }),
  fc.integer({ min: -hours(24 * 30), max: 0 }),
  fc.constantFrom(0, -minutes(1), minutes(5), -hours(1), -hours(24)),
);
const value = fc.oneof(
  fc.integer({ min: -90, max: 30 }),
  // The sign of a zero is lost in JSON.
  fc.double({ noDefaultInfinity: true, noNaN: true }).map((double) => double + 0),
  fc.constantFrom(0.1, 1e-300, Number.MAX_VALUE),
);
const reading = fc.record({
  freezer: fc.constantFrom(...FREEZERS),
  channel: fc.constantFrom(...CHANNELS),
  /** From now on; or the time of one that was sent before. */
  time: fc.oneof(
    { arbitrary: offset.map((offset) => ({ offset })), weight: 3 },
    { arbitrary: fc.nat({ max: 20 }).map((back) => ({ back })), weight: 2 },
  ),
  value,
});
const readings = fc.array(reading, { minLength: 1, maxLength: 5 });
const kind = <Name extends string>(name: Name) => fc.constant(name);
const step = fc.oneof(
  {
    arbitrary: fc.record({ kind: kind('posts'), program: fc.constantFrom('first', 'second'), readings }),
    weight: 8,
  },
  { arbitrary: fc.record({ kind: kind('imports'), readings }), weight: 1 },
  { arbitrary: fc.record({ kind: kind('race'), reading, other: value }), weight: 2 },
  { arbitrary: fc.record({ kind: kind('post is lost'), readings }), weight: 1 },
  { arbitrary: fc.record({ kind: kind('waits'), ms: fc.integer({ min: 1, max: hours(7) }) }), weight: 3 },
  { arbitrary: fc.record({ kind: kind('sweeps') }), weight: 1 },
  { arbitrary: fc.record({ kind: kind('packs'), atOnce: fc.boolean() }), weight: 4 },
  { arbitrary: fc.record({ kind: kind('merges') }), weight: 2 },
  {
    arbitrary: fc.record({
      kind: kind('is ended when'),
      stage: fc.constantFrom(...(Object.keys(STAGES) as Stage[])),
    }),
    weight: 3,
  },
);
type DrawnReading = Omit<Sent, 'at'> & { time: { offset: number } | { back: number } };
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

class Story {
  private readonly model = new Model();
  private readonly sent: number[] = [];
  private readonly second = openProgram(server.db);
  private readonly doomed = openProgram(
    failingDatabase(server.db, { blowsAfter: /insert into reading_inbox/ }),
  );

  constructor(private readonly freezers: readonly [Freezer, Freezer]) {}

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'waits':
        return server.clock.advance(step.ms);
      case 'sweeps':
        await Promise.all([server.road.sweep(now()), this.second.sweep(now())]);
        return;
      case 'packs':
        await packInbox(server.db, now(), { atOnce: step.atOnce });
        return;
      case 'merges':
        await mergeParts(server.db, now());
        return;
      case 'is ended when':
        return endAt(STAGES[step.stage]);
      case 'posts': {
        const readings = this.date(step.readings);
        const answer = await this.send(step.program, readings);
        expect(answer).toEqual({ ...this.model.store(readings), rejected: [] });
        return;
      }
      case 'imports': {
        const readings = this.date(step.readings);
        expect(await this.import(readings)).toMatchObject({ ...this.model.store(readings), refused: 0 });
        return;
      }
      case 'post is lost': {
        const readings = this.date(step.readings);
        const isNew = readings.some((one) => !this.model.channel(one).has(one.at));
        const outcome = await this.doomed.take(this.write(readings), readings.length).catch(() => 'lost');
        // What was there already is not stored again, so nothing goes wrong.
        if (isNew) expect(outcome).toBe('lost');
        return;
      }
      case 'race':
        return this.race(step);
    }
  }

  /** Two programs get the same reading at once, while others pack and merge: one of them stores it. */
  private async race({ reading, other }: Extract<Step, { kind: 'race' }>): Promise<void> {
    const [one] = this.date([reading]) as [Sent];
    const isKnown = this.model.channel(one).has(one.at);
    const rivals = [one, { ...one, value: other }];
    const [answers] = await Promise.all([
      Promise.all([
        this.send('first', [rivals[0] as Sent]),
        this.send('second', [rivals[1] as Sent]),
      ] as const),
      packInbox(server.db, now(), { atOnce: true }),
      mergeParts(server.db, now()),
    ]);
    const winners = rivals.filter((_, index) => answers[index]?.accepted === 1);
    expect(winners).toHaveLength(isKnown ? 0 : 1);
    this.model.store(winners);
  }

  private date(readings: readonly DrawnReading[]): Sent[] {
    return readings.map(({ time, ...rest }) => {
      const at =
        'offset' in time ? now().getTime() + time.offset : (this.sent.at(-1 - time.back) ?? now().getTime());
      this.sent.push(at);
      return { ...rest, at };
    });
  }

  private entries(readings: readonly Sent[]) {
    return readings.map(({ freezer, channel, at, value }) => ({
      device: this.freezers[freezer].device,
      time: at,
      values: { [channel]: value },
    }));
  }

  private write(readings: readonly Sent[]) {
    const post = readTelemetry(this.entries(readings), now().getTime());
    if (typeof post === 'string') throw new Error(post);
    return { sourceId: null, organizationId: lab.organization, ...post };
  }

  private async send(program: 'first' | 'second', readings: readonly Sent[]) {
    if (program === 'first') return (await (await lab.post(this.entries(readings))).json()) as PostAnswer;
    return (await this.second.take(this.write(readings), readings.length)) as PostAnswer;
  }

  private async import(readings: readonly Sent[]): Promise<unknown> {
    const lines = this.entries(readings).map(({ device, time, values }) =>
      [new Date(time).toISOString(), device, ...Object.entries(values).flat()].join(','),
    );
    const said: string[] = [];
    const deps = { db: server.db, clock: now, retentionDays: 400, bar: null };
    const code = await runImport(
      {
        ...deps,
        out: { stdout: (line) => said.push(line), stderr: (line) => said.push(line) },
        stdin: Readable.from([Buffer.from(['time,device,channel,value', ...lines, ''].join('\n'))]),
        signal: new AbortController().signal,
      },
      { ...TO_STANDARD_INPUT, organization: lab.organizationName },
    );
    expect(code, said.join('\n')).toBe(0);
    return JSON.parse(said.at(-1) ?? '');
  }

  async expectReadBack(): Promise<void> {
    for (const freezer of FREEZERS) {
      const stored = await listStored(server.db, this.freezers[freezer].id);
      for (const channel of CHANNELS) {
        const readings = stored.filter(({ name }) => name === channel);
        expect(readings.map(({ at, value }) => [at.getTime(), value])).toEqual(
          this.model.list(freezer, channel),
        );
      }
    }
  }

  /** Also by those who draw and those who export. */
  async expectShown(): Promise<void> {
    await this.expectReadBack();
    const times = this.model.times();
    const window = { from: new Date(Math.min(...times)), to: new Date(Math.max(...times) + 1) };
    for (const freezer of FREEZERS) {
      const serviceId = this.freezers[freezer].id;
      const service = await selectService(server.db, serviceId, [lab.organization], now());
      const channels = service?.channels ?? [];
      const span = { from: window.from.getTime(), to: window.to.getTime() };
      const rows = readRows(server.db, service ? [service] : [], span);
      let csv = '';
      for await (const text of writeCsv(rows, 'of_one_service')) csv += text;
      const lines = csv.split('\r\n').map((line) => line.split(','));
      for (const channel of CHANNELS) {
        const wanted = this.model.list(freezer, channel);
        const exported = lines.filter(([, name]) => name === channel);
        expect(exported.map(([time, , value]) => [Date.parse(time ?? ''), Number(value)])).toEqual(wanted);
        const channelId = channels.find(({ name }) => name === channel)?.id ?? 0;
        const series = await readChartSeries(server.db, { serviceId, channelId, ...window });
        expect(series).toMatchObject({ stepMs: null, damaged: [] });
        expect(series.points.map(({ at, mean }) => [at.getTime(), mean])).toEqual(wanted);
      }
    }
  }

  /** When the days are over everything is in packs, each day's readings once and with what they come to. */
  async expectPacked(): Promise<void> {
    server.clock.advance(2 * DAY_MS);
    await packAll(server.db, now());
    if (this.model.times().length > 0) await this.expectShown();
    for (const freezer of FREEZERS) {
      const packs = await server.db.query<
        { day: string; name: string; isMerged: boolean } & Record<string, number>
      >(sql`
        select day::text as "day", name, is_merged as "isMerged", count, min, max
        from reading_pack join channel on channel.id = channel_id
        where reading_pack.service_id = ${this.freezers[freezer].id} and name = any(${CHANNELS}::text[])
        order by day, name desc`);
      const wanted = CHANNELS.flatMap((channel) => summarizeDays(channel, this.model.list(freezer, channel)));
      expect(packs).toEqual(wanted.sort(byDay));
    }
  }
}

interface PostAnswer {
  accepted: number;
}

const TO_STANDARD_INPUT = {
  file: '-',
  device: null,
  service: null,
  refusedFile: null,
  isRestart: false,
  isJson: true,
};

const byDay = (one: { day: string; name: string }, other: { day: string; name: string }) =>
  one.day.localeCompare(other.day) || other.name.localeCompare(one.name);

function summarizeDays(name: string, readings: readonly [number, number][]) {
  const days = groupBy(readings, ([at]) => new Date(at).toISOString().slice(0, 10));
  return [...days].map(([day, some]) => {
    const values = some.map(([, value]) => value);
    return {
      day,
      name,
      isMerged: true,
      count: some.length,
      min: Math.min(...values),
      max: Math.max(...values),
    };
  });
}

const openProgram = (db: Database): Road => openRoad({ db, clock: now, retentionDays: 400 });

/** A program that packs and merges loses its connection there. */
async function endAt(blowsAfter: RegExp): Promise<void> {
  const doomed = failingDatabase(server.db, { blowsAfter });
  await packInbox(doomed, now(), { atOnce: true }).catch(() => {});
  await mergeParts(doomed, now()).catch(() => {});
}

test('after any steps of any programs, what is read back is what was stored first', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 50 }), async (steps) => {
      const story = new Story([await lab.freezer(), await lab.freezer()]);
      for (const step of steps) {
        await story.take(step);
        await story.expectReadBack();
      }
      await story.expectPacked();
    }),
    { numRuns: RUNS, ...TIME },
  );
});
