// Rescue plans for messages: they help, but no message waits for them longer than a moment, and none fails with them.
import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import { within } from '../../platform/within.ts';
import { type RescuePlan, readPlan } from './read-plan.ts';
import { readRooms } from './read-turns.ts';

const PATIENCE_MS = 1_500;
const STATEMENT_MS = 1_000;
/** Whoever gets more at once has other worries than where each of them goes. */
const MOST = 20;

interface Asked {
  /** Of the notification. */
  id: string;
  serviceId: ServiceId | null;
  toldAt: Date;
}

/** By notification; those without one, or without an alarm, are left out. */
export type RescuePlans = ReadonlyMap<string, RescuePlan>;

export function createRescueReader({ db, log }: { db: Database; log: Log }) {
  let isReading = false;
  return async (rows: readonly Asked[]): Promise<RescuePlans> => {
    if (isReading || rows.length === 0) return new Map();
    isReading = true;
    const reading = db
      .transaction(async (tx) => readPlans(tx, rows))
      .finally(() => {
        isReading = false;
      });
    try {
      return await within(PATIENCE_MS, reading);
    } catch (error) {
      log.warn({ err: error }, 'messages leave without their rescue plans');
      return new Map();
    }
  };
}

async function readPlans(tx: Tx, rows: readonly Asked[]): Promise<RescuePlans> {
  tx.later(sql`select set_config('statement_timeout', ${String(STATEMENT_MS)}, true)`);
  const planned = await tx.query<{ serviceId: ServiceId; organizationId: OrganizationId }>(sql`
    select service_id as "serviceId", organization_id as "organizationId" from rescue
    where service_id = any(${rows.flatMap(({ serviceId }) => serviceId ?? [])}::int[])
      and temperature_class is not null limit ${MOST}`);
  const plans = new Map<string, RescuePlan>();
  const latest = new Date(Math.max(...rows.map(({ toldAt }) => toldAt.getTime())));
  const rooms = await readRooms(
    tx,
    planned.map(({ serviceId }) => serviceId),
    latest,
  );
  for (const { id, serviceId, toldAt } of rows) {
    const unit = planned.find((one) => one.serviceId === serviceId);
    const plan = unit && (await readPlan(tx, unit, toldAt, rooms));
    if (plan && plan.episodeId !== null) plans.set(id, plan);
  }
  return plans;
}
