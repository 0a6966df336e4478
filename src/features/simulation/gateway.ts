// How simulated readings reach the road: straight into the engine, or over HTTP like those of a real gateway.

import type { OrganizationId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import type { MostDays } from '../../domain/readings/retention.ts';
import { sayRejected, type TelemetryEntry } from '../../domain/readings/telemetry.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { UnitValues } from '../../domain/simulation/unit.ts';
import { createCatalogue } from '../../engine/alarm-state/catalogue.ts';
import { ingestPosts } from '../../engine/ingest/ingest.ts';
import { packInbox } from '../../engine/packing/pack-inbox.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';

export interface SimulatedReading {
  device: string;
  at: Instant;
  values: UnitValues;
}

export interface Receipt {
  accepted: number;
  duplicates: number;
  rejected: ReturnType<typeof sayRejected>;
}

/** History is judged as if it happened: by the time of its last reading. */
export type When = 'history' | 'live';

export interface Gateway {
  send(readings: readonly SimulatedReading[], when: When): Promise<Result<Receipt, string>>;
}

export function engineGateway(
  { db, clock, retentionDays }: { db: Database; clock: Clock; retentionDays: MostDays },
  organizationId: OrganizationId,
): Gateway {
  const catalogue = createCatalogue();
  return {
    async send(readings, when) {
      const entries = readings.map(toEntry);
      const lastAt = Math.max(...readings.map(({ at }) => at));
      const now = when === 'history' ? new Date(lastAt) : clock();
      const post = { sourceId: null, organizationId, entries, rejected: [] };
      const [outcome] = await ingestPosts({ db, catalogue, retentionDays }, [post], now);
      // Nobody else may be running.
      await packInbox(db, clock());
      if (!outcome || outcome === 'unknown_source') return refuse('The readings were not taken');
      return ok({ ...outcome, rejected: sayRejected(outcome.rejected) });
    },
  };
}

const toEntry = ({ device, at, values }: SimulatedReading, index: number): TelemetryEntry => ({
  index,
  target: { device },
  at,
  values: Object.entries(values).map(([name, value]) => [name, Number(value), typeof value === 'boolean']),
});
