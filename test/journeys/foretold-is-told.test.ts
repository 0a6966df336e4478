// What was foretold for a moment is what arrives when an alarm really begins there: drawn labs in the real program, from
// the reading that is posted to the mail server that takes the mail. `foretell.properties.test.ts` does it in memory.
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import type { Forecast } from '../../src/domain/notifications/foretell.ts';
import { readForecast } from '../../src/engine/forecasts/read-forecast.ts';
import { endDueMutes } from '../../src/engine/quiet-times/mutes.ts';
import { extendSeries } from '../../src/engine/quiet-times/series.ts';
import { type DrawnLab, drawnLab } from '../support/drawn-lab.ts';
import {
  type ForetoldHouse,
  furnish,
  GATEWAY_ADDRESS,
  STALE_AFTER_MINUTES,
} from '../support/foretold-house.ts';
import { type ForetoldPost, nameWays, openForetoldPost } from '../support/foretold-post.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import { HOT, NORMAL, WARM } from '../support/notification-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

const RUNS = Number(process.env.TOCSIN_FORETOLD_RUNS ?? 24);
const WATCHED_MINUTES = 26 * 60;
/** Post is held so long, in case more comes. */
const HELD_MS = seconds(2);

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ isPrivateWebhookAllowed: true });
});

const goTo = (ms: number) => server.clock.advance(ms - server.clock.read().getTime());

/** As the program does every second. */
async function strike({ deliverer }: ForetoldPost): Promise<void> {
  const now = server.clock.read();
  await server.road.sweep(now);
  await endDueMutes(server.db, now);
  await deliverer.decide(now);
  await deliverer.form(now);
  await deliverer.work();
  await deliverer.settle();
}

/** When something is due next, as the program itself has noted. */
async function findDue({ lab }: ForetoldHouse): Promise<{ at: number | null; isHeld: boolean }> {
  const now = server.clock.read();
  const [row] = await server.db.query<{ at: Date | null; isHeld: boolean }>(sql`
    with own as materialized (select id from service where organization_id = ${lab.organization})
    select least(
        (select min(look_again_at) from notification_schedule join own on own.id = service_id where look_again_at > ${now}),
        (select min(due_at) from notification join own on own.id = service_id where state = 'waiting' and due_at > ${now}),
        (select min(ends_at) from mute join own on own.id = service_id where ended_at is null and ends_at > ${now})) as "at",
      exists (select from delivery join own on own.id = service_id where state = 'queued' and letter_id is null) as "isHeld"`);
  return { at: row?.at?.getTime() ?? null, isHeld: row?.isHeld ?? false };
}

interface Arrival {
  at: number;
  line: string;
}

/** Strikes whenever something is due, and at the other times that are given. */
async function watch(
  house: ForetoldHouse,
  post: ForetoldPost,
  until: number,
  others: readonly number[] = [],
): Promise<Arrival[]> {
  const arrivals: Arrival[] = [];
  for (;;) {
    await strike(post);
    const now = server.clock.read().getTime();
    arrivals.push(...post.takeIn().map((line) => ({ at: now - HELD_MS, line })));
    const due = await findDue(house);
    const next = [due.at, due.isHeld ? now + HELD_MS : null, ...others, until].flatMap((at) => at ?? []);
    const at = Math.min(...next.filter((one) => one > now));
    if (now >= until || at > until) return arrivals;
    goTo(at);
  }
}

/** Up to that moment, and not yet at it. */
async function pass(house: ForetoldHouse, post: ForetoldPost, at: number): Promise<void> {
  await watch(house, post, at - 1);
  goTo(at);
  await extendSeries(server.db, server.clock.read());
}

async function swing(
  house: ForetoldHouse,
  post: ForetoldPost,
  begunAt: number,
  swings: number,
): Promise<void> {
  for (let left = swings; left > 0; left -= 1) {
    await pass(house, post, begunAt - minutes(left * 9 + 4));
    await house.reads(WARM);
    await pass(house, post, begunAt - minutes(left * 9));
    await house.reads(NORMAL);
  }
}

/** What was foretold, and what came: `12 SMS to +49151…`, the minutes since it began. */
async function live(drawn: DrawnLab, post: ForetoldPost) {
  const { subject, asked, sustained } = drawn;
  const begunAt = Date.parse(drawn.begunAt);
  goTo(begunAt - minutes(Math.max(asked + 60, 120)));
  const house = await furnish(server, drawn, post.url);
  await house.reads(NORMAL);
  if (drawn.gateway !== 'none') await house.hearsGateway();
  await swing(house, post, begunAt, drawn.swings);

  let forecast: Forecast | null = null;
  const ask = async () => {
    const [from, now] = [new Date(begunAt), server.clock.read()];
    forecast = await readForecast(server.db, house.serviceId, subject, from, now);
  };
  const begin = () => house.reads({ critical: HOT, warning: WARM, stale: NORMAL }[subject]);
  const acts = [
    { at: begunAt - minutes(asked), act: ask },
    { at: begunAt - minutes(subject === 'stale' ? STALE_AFTER_MINUTES : sustained), act: begin },
  ].sort((one, other) => one.at - other.at);
  for (const { at, act } of acts) {
    await pass(house, post, at);
    await act();
  }
  await pass(house, post, begunAt);
  post.takeIn();

  const foretold = (forecast as Forecast | null)?.told ?? [];
  const others = [
    ...foretold.map(({ at }) => at.getTime()),
    ...drawn.strikes.map((minute) => begunAt + minutes(minute)),
  ];
  const until = begunAt + minutes(WATCHED_MINUTES);
  const arrivals = await watch(house, post, until, others);
  await house.leaves();
  const nameWay = await nameWays(server, house.serviceId);
  const say = (at: number, way: string) => `${Math.floor((at - begunAt) / minutes(1))} ${way}`;
  return {
    foretold: foretold
      .filter(({ at }) => at.getTime() + HELD_MS <= until)
      .flatMap(({ at, recipients }) => recipients.map((one) => say(at.getTime(), nameWay(one))))
      .sort(),
    told: arrivals
      .filter(({ line }) => line !== `mail to ${GATEWAY_ADDRESS}`)
      .map(({ at, line }) => say(at, line))
      .sort(),
  };
}

test('what is foretold is what arrives', { timeout: 600_000 + RUNS * 20_000 }, async () => {
  const post = await openForetoldPost(server);
  await fc.assert(
    fc.asyncProperty(drawnLab, async (drawn) => {
      const { foretold, told } = await live(drawn, post);
      expect(told).toEqual(foretold);
    }),
    { numRuns: RUNS },
  );
});

/** An address that is told of everything at once, on an evening in June. */
const PLAIN: DrawnLab = {
  begunAt: '2026-06-09T18:00:00Z',
  subject: 'critical',
  asked: 0,
  people: [],
  hours: null,
  holidays: [],
  rota: {
    timezone: 'Europe/Berlin',
    every: 'day',
    length: 1,
    from: '2026-06-08',
    handovers: [{ at: '08:00', timezone: 'Europe/Berlin', members: [0] }],
    standIns: [],
  },
  group: { steps: [], told: [{ step: 0, during: 'always', who: 'address', number: 0 }] },
  flags: { send_critical: true, send_warning: true, enable_system_notifications: true },
  delays: { critical: 0, warning: 0, stale: 0 },
  sharedDelay: null,
  sustained: 0,
  mutes: [],
  downtimes: [],
  series: null,
  swings: 0,
  gateway: 'none',
  strikes: [],
};

test.each<[found: string, seed: number, drawn: Partial<DrawnLab>, told: number[]]>([
  [
    'service-wide limits that judge no channel have no say in the delay',
    1209290930,
    { delays: { critical: 30, warning: 0, stale: 0 }, sharedDelay: 0 },
    [30],
  ],
  [
    'warnings of the hour before count, also while all is normal',
    -834276658,
    { subject: 'warning', swings: 4 },
    [17],
  ],
  [
    'a downtime of a series counts before it is planned',
    1402641146,
    {
      asked: 20 * 24 * 60,
      series: {
        unit: 'day',
        start: '19:30',
        minutes: 60,
        first_day: '2026-05-15',
        until_day: '2026-06-17',
      },
    },
    [30],
  ],
])('%s (seed %i)', async (_, __, drawn, minutesTold) => {
  const { foretold, told } = await live({ ...PLAIN, ...drawn }, await openForetoldPost(server));
  expect(told).toEqual(minutesTold.map((minute) => `${minute} mail to address-0@lab.example`));
  expect(foretold).toEqual(told);
});
