// What reading back costs the program and its database: a year of one sensor that sends every minute, and a day of fifty.
import type pg from 'pg';
import type { OrganizationId, ServiceId } from '../src/domain/ids.ts';
import { appendHistory } from '../src/engine/journal/inbox.ts';
import { packInbox } from '../src/engine/packing/pack-inbox.ts';
import { mergeParts } from '../src/engine/readings/merge-parts.ts';
import { readChartSeries } from '../src/engine/readings/read-series.ts';
import { readStored } from '../src/engine/readings/read-stored.ts';
import type { Database } from '../src/platform/db/database.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { median } from './load.ts';
import { openNewDatabase } from './new-database.ts';

const DAY_MS = 86_400_000;
const CURVES = 50;
const TIMES = 21;

export async function measureCharts(connection: pg.PoolConfig, now: Date): Promise<Record<string, number>> {
  const db = await openNewDatabase(connection, 'charts');
  try {
    await migrate(db, now);
    const end = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
    for (let day = 365; day > 0; day -= 1) await fillDay(db, day === 1 ? CURVES : 1, end - day * DAY_MS, now);
    while ((await packInbox(db, now, { atOnce: true })) === 'more_to_do');
    while ((await mergeParts(db, now)) === 'more_to_do');
    const span = (days: number) => ({ from: end - days * DAY_MS, to: end });
    const chart = (days: number) => () =>
      readChartSeries(db, { ...channel(1), from: new Date(span(days).from), to: new Date(end) });
    const curves = Array.from({ length: CURVES }, (_, index) => channel(index + 1));
    return {
      chart_24_hours_ms: await timeOf(chart(1)),
      chart_30_days_ms: await timeOf(chart(30)),
      chart_1_year_ms: await timeOf(chart(365)),
      curves_of_50_services_ms: await timeOf(() => readStored(db, curves, span(1))),
      backtest_30_days_ms: await timeOf(() => readStored(db, [channel(1)], span(30))),
    };
  } finally {
    await db.close();
  }
}

const channel = (id: number) => ({ serviceId: id as ServiceId, channelId: id });

async function fillDay(db: Database, services: number, begin: number, now: Date): Promise<void> {
  const columns = {
    serviceIds: [] as ServiceId[],
    channelIds: [] as number[],
    ats: [] as number[],
    values: [] as number[],
  };
  for (let minute = 0; minute < 1440; minute += 1) {
    for (let service = 1; service <= services; service += 1) {
      columns.serviceIds.push(service as ServiceId);
      columns.channelIds.push(service);
      columns.ats.push(begin + minute * 60_000 + ((service * 7919 + minute * 31) % 900));
      columns.values.push(Number((-80 + Math.sin(minute / 30 + service)).toFixed(2)));
    }
  }
  await db.query(appendHistory(1 as OrganizationId, columns, now));
}

/** The middle one of many, after those that are planned and compiled. */
async function timeOf(read: () => Promise<unknown>): Promise<number> {
  const waits: number[] = [];
  for (let count = -3; count < TIMES; count += 1) {
    const startedAt = performance.now();
    await read();
    if (count >= 0) waits.push(performance.now() - startedAt);
  }
  return Number(median(waits).toFixed(1));
}
