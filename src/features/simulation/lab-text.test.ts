import { expect, test } from 'vitest';
import type { BandName } from '../../domain/judging/band.ts';
import { type JudgedLimits, judge } from '../../domain/judging/judge.ts';
import type { Measurement } from '../../domain/judging/measurement.ts';
import { planLab } from '../../domain/simulation/lab.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/simulation/rhythms.ts';
import { readUnit } from '../../domain/simulation/unit.ts';
import { describeLab } from './lab-text.ts';

interface LabService {
  limits: {
    channel: string;
    is_percentage?: boolean;
    setpoint_channel?: string;
    state_channel?: string;
    bands: Record<BandName, { limit: number; sustained: number }>;
  }[];
}

const until = Date.UTC(2026, 10, 15);

function judgeLab(seed: number, days: number, stepMs: number): string[] {
  const from = until - days * DAY_MS;
  const units = planLab({ services: 12, seed, from, until });
  const text = describeLab({ organization: 'Lab', units, intervalSeconds: 60, secret: null });
  const services: LabService[] = JSON.parse(text).organizations[0].services;
  return units.flatMap((unit, index) => {
    const measurements: Measurement[] = [];
    for (let at = from; at <= until; at += stepMs) {
      const values = Object.entries(readUnit(unit, at) ?? {});
      measurements.push({ at, values: values.map(([name, value]) => [name, Number(value)] as const) });
    }
    const limits = new Map((services[index]?.limits ?? []).map((entry) => [entry.channel, toJudged(entry)]));
    const service = {
      limits,
      channels: new Map(),
      verdict: { severity: 'normal' as const, since: null, channel: null },
    };
    return judge(service, measurements, until).changes.map(({ to }) => `${unit.name} ${to}`);
  });
}

const toJudged = (entry: LabService['limits'][number]): JudgedLimits => ({
  versionId: 1,
  isPercentage: entry.is_percentage ?? false,
  setpointChannel: entry.setpoint_channel ?? null,
  stateChannel: entry.state_channel ?? null,
  bands: Object.entries(entry.bands).map(([band, { limit, sustained }]) => ({
    band: band as BandName,
    limit,
    sustainedMs: sustained * MINUTE_MS,
  })),
});

test.each([
  [1, 30, 5],
  [2, 14, 5],
  [4, 2, 5],
  [1, 3, 1],
])(
  'seed %i, %i days, every %i minutes: the failing unit ends in alarm, nobody else has one',
  (seed, days, minutes) => {
    const changes = judgeLab(seed, days, minutes * MINUTE_MS);
    expect(new Set(changes.map((change) => change.replace(/ \w+$/, '')))).toEqual(new Set(['ULT freezer 2']));
    expect(changes.at(-1)).toBe('ULT freezer 2 critical');
  },
);

test('a secret makes a source of it, and long intervals stretch the time until data is stale', () => {
  const describe = (intervalSeconds: number, secret: string | null) =>
    JSON.parse(
      describeLab({
        organization: 'Lab',
        units: planLab({ services: 1, seed: 1, from: until, until }),
        intervalSeconds,
        secret,
      }),
    ).organizations[0];
  expect(describe(60, null)).not.toHaveProperty('sources');
  expect(describe(60, null).services[0].stale_after_minutes).toBe(15);
  expect(describe(3600, 'a secret of the source')).toMatchObject({
    sources: [{ name: 'simulated gateway', secret: 'a secret of the source' }],
    services: [{ stale_after_minutes: 180 }],
  });
});
