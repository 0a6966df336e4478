// States that were dated by a clock ahead of this one: it was set right since, or is another host's. What arrives for them
// is judged as it comes; this is for those of which nothing comes, so that they go stale in time.
import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Database } from '../../platform/db/database.ts';
import { eachAlone } from '../../platform/process/each-alone.ts';
import { lookAgain } from '../outbox/look-again.ts';
import { type AlarmRow, isAfter, lockRowsAhead } from './alarm-rows.ts';
import { bringRowsUpToDate } from './bring-rows-up-to-date.ts';
import { judgeInTurn, MOST_AT_ONCE } from './sweep.ts';

/** Clocks never agree exactly, and nobody minds this much. */
const TOLERATED_MS = 60_000;

/** How many services, and by how much at most. */
export interface SetBack {
  services: number;
  aheadMs: number;
}

export async function setBackStates(db: Database, now: Date): Promise<SetBack> {
  const until = new Date(now.getTime() + TOLERATED_MS);
  await bringRowsUpToDate(db, until);
  const organizations = await db.query<{ organizationId: OrganizationId }>(sql`
    select distinct organization_id as "organizationId" from alarm_state where ${isAfter(until)}`);
  const all: SetBack = { services: 0, aheadMs: 0 };
  await eachAlone(
    organizations,
    ({ organizationId }) => `organization ${organizationId}`,
    async ({ organizationId }) => {
      const { services, aheadMs } = await setBackOrganization(db, organizationId, until, now);
      all.services += services;
      all.aheadMs = Math.max(all.aheadMs, aheadMs);
    },
  );
  return all;
}

async function setBackOrganization(
  db: Database,
  organizationId: OrganizationId,
  until: Date,
  now: Date,
): Promise<SetBack> {
  const all: SetBack = { services: 0, aheadMs: 0 };
  for (let after = 0 as ServiceId; ; ) {
    const lockRows = lockRowsAhead(organizationId, until, after, MOST_AT_ONCE);
    const rows = await judgeInTurn(db, organizationId, lockRows, now, {
      also: (tx, rows) => {
        // What was planned to be told of them was planned by the wrong clock.
        const serviceIds = rows.map(({ serviceId }) => serviceId);
        if (rows.length > 0) lookAgain(tx, serviceIds, now);
      },
    });
    all.services += rows.length;
    all.aheadMs = Math.max(all.aheadMs, ...rows.map((row) => findLatest(row) - now.getTime()));
    after = rows.at(-1)?.serviceId ?? after;
    if (rows.length < MOST_AT_ONCE) return all;
  }
}

const findLatest = ({ channelAt, severitySince, staleSince }: AlarmRow): Instant =>
  Math.max(...channelAt, severitySince ?? 0, staleSince ?? 0);
