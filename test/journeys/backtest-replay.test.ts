// The backtest counts what the engine would have raised: the same readings go through the live engine, and both agree.
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import type { BacktestFigures } from '../../src/domain/advisor/recommendation.ts';
import type { ServiceId } from '../../src/domain/ids.ts';
import { chanceAt, wander } from '../../src/domain/simulation/chance.ts';
import { compareLimits, planComparison } from '../../src/engine/advice/compare-limits.ts';
import { gatherMaterial } from '../../src/engine/advice/gather-material.ts';
import { startAnalyst } from '../../src/engine/advice/start-analyst.ts';
import { loadServiceConfigs } from '../../src/engine/alarm-state/service-config.ts';
import { selectLimitsInForce } from '../../src/engine/services/limits-in-force.ts';
import { first } from '../../src/platform/db/database.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
  lab = await openLab(server);
});

/** Episodes as the engine recorded them; one that still runs lasts until now. */
async function countEpisodes(serviceId: ServiceId): Promise<BacktestFigures> {
  const now = server.clock.read();
  const figures = first(
    await server.db.query<BacktestFigures>(sql`
      select count(*)::int as alarms, coalesce(sum(minutes), 0)::float8 as alarm_minutes,
        coalesce(max(minutes), 0)::float8 as longest_minutes
      from (
        select date_part('epoch', coalesce(max(happened_at) filter (where kind = 'recovered'), ${now})
          - min(happened_at)) / 60 as minutes
        from alarm_event where service_id = ${serviceId} and kind in ('raised', 'changed', 'recovered')
        group by episode_id) as episode`),
  );
  return figures as BacktestFigures;
}

/** What the backtest makes of the limits in force, tried as current and as proposed ones. */
async function backtestInForce(serviceId: ServiceId) {
  const [config] = await loadServiceConfigs(server.db, [serviceId]);
  const [limits] = await selectLimitsInForce(server.db, serviceId);
  if (!config || !limits) throw new Error('The service has no limits');
  const comparison = planComparison(config, limits);
  const about = { channels: comparison.channels, limits: [comparison.current, comparison.proposed] };
  const { histories, ...material } = await gatherMaterial(server.db, config, about, server.clock.read());
  const analyst = startAnalyst(histories, { signal: new AbortController().signal });
  const backtest = await compareLimits(analyst, comparison, material);
  await analyst.dismiss();
  return backtest;
}

type Values = Record<string, number>;

/** Three days, a reading about every five minutes with gaps, in posts of a chance size, swept now and then. */
async function feed(device: string, seed: number, valuesAt: (at: number) => Values): Promise<void> {
  const begin = server.clock.read().getTime();
  const end = begin + minutes(3 * 24 * 60);
  let waiting: { device: string; time: number; values: Values }[] = [];
  for (let at = begin, index = 0; at < end; index += 1) {
    const chance = chanceAt(seed, index);
    at += Math.round(minutes(chance < 0.02 ? 90 : 1 + chance * 8));
    waiting.push({ device, time: at, values: valuesAt(at) });
    if (waiting.length <= chanceAt(seed + 1, index) * 40) continue;
    server.clock.advance(at - server.clock.read().getTime());
    expect((await lab.post(waiting)).status).toBe(200);
    // Only with all readings in: one that comes after its time cannot undo what the clock has done.
    if (chance < 0.3) await server.road.sweep(server.clock.read());
    waiting = [];
  }
  server.clock.advance(end + minutes(60) - server.clock.read().getTime());
  await lab.post(waiting);
  await server.road.sweep(server.clock.read());
}

const BANDS = {
  CRITICAL_HIGH: { limit: -70, sustained: 10 },
  WARNING_HIGH: { limit: -74, sustained: 2.5 },
  WARNING_LOW: { limit: -86 },
  CRITICAL_LOW: { limit: -88, sustained: 30 },
};
const metric = (name: string) => ({ name, kind: 'metric' });
const temperatureAt = (seed: number, at: number) =>
  Number((-80 + 14 * wander(seed, at, minutes(140)) + 3 * wander(seed + 9, at, minutes(7))).toFixed(2));

const SCENARIOS: [
  what: string,
  settings: Record<string, unknown>,
  valuesAt: (seed: number, at: number) => Values,
][] = [
  [
    'absolute limits of the channel',
    { channels: [metric('temperature')], limits: [{ channel: 'temperature', bands: BANDS }] },
    (seed, at) => ({ temperature: temperatureAt(seed, at) }),
  ],
  [
    'service-wide limits, two channels',
    {
      channels: [metric('top'), metric('bottom'), { name: 'battery', kind: 'diagnostic' }],
      limits: [{ channel: 'default', bands: BANDS }],
      // Neither channel is missed, which would be an alarm of its probe.
      stale_after_minutes: 24 * 60,
    },
    (seed, at) => ({
      ...(chanceAt(seed, at) < 0.8 && { top: temperatureAt(seed, at) }),
      ...(chanceAt(seed, at + 1) < 0.6 && { bottom: temperatureAt(seed + 3, at) }),
      battery: -60,
    }),
  ],
  [
    'percent of a setpoint, with a state',
    {
      channels: [metric('speed'), { name: 'target', kind: 'setpoint' }, { name: 'running', kind: 'state' }],
      limits: [
        {
          channel: 'speed',
          is_percentage: true,
          setpoint_channel: 'target',
          state_channel: 'running',
          bands: { CRITICAL_HIGH: { limit: 20, sustained: 5 }, WARNING_LOW: { limit: -10, sustained: 12 } },
        },
      ],
    },
    (seed, at) => ({
      speed: Math.round(1000 + 300 * wander(seed, at, minutes(60))),
      ...(chanceAt(seed, at) < 0.1 && { target: 900 + 200 * Math.round(chanceAt(seed + 1, at)) }),
      ...(chanceAt(seed, at + 1) < 0.1 && { running: chanceAt(seed + 2, at) < 0.3 ? 0 : 1 }),
    }),
  ],
];

test.each(
  SCENARIOS.flatMap(([what, settings, valuesAt]) =>
    [11, 12].map((seed) => ({ what, seed, settings, valuesAt })),
  ),
)('$what, seed $seed', async ({ settings, valuesAt, seed }) => {
  const { id, device } = await lab.freezer(settings);
  await feed(device, seed, (at) => valuesAt(seed, at));
  const live = await countEpisodes(id);
  expect(live.alarms).toBeGreaterThan(5);

  const backtest = await backtestInForce(id);
  for (const figures of [backtest?.current, backtest?.proposed]) {
    expect(figures?.alarms).toBe(live.alarms);
    expect(figures?.alarm_minutes).toBeCloseTo(live.alarm_minutes, 6);
    expect(figures?.longest_minutes).toBeCloseTo(live.longest_minutes, 6);
  }
});
