// Whom a change would leave untold: it is made, looked at by the code that decides, and undone.
import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { findGaps } from '../../domain/notifications/gaps.ts';
import type { Result } from '../../domain/result.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { type ReadLadder, selectLadders, toLadder } from './ladders.ts';

export interface Loss {
  groupName: string;
  /** How many services tell it. */
  services: number;
  /** `group`: it is gone, and they tell nobody. The others: a critical alarm reaches nobody at any hour, or at some. */
  kind: 'group' | 'always' | 'sometimes';
}

/** Only to roll back with. */
class Undone extends Error {
  constructor(readonly losses: readonly Loss[]) {
    super('undone');
  }
}

/** Nothing stays of the change. A refused one loses nobody: whoever makes it says so. */
export async function foreseeLoss(
  db: Database,
  organizationId: OrganizationId,
  change: (tx: Tx) => Promise<Result<unknown, unknown>>,
  now: Date,
): Promise<readonly Loss[]> {
  try {
    return await db.transaction(async (tx) => {
      const before = await selectLadders(tx, [organizationId], now);
      const services = await countServices(tx, organizationId);
      const changed = await change(tx);
      if (!changed.ok) throw new Undone([]);
      const after = new Map((await selectLadders(tx, [organizationId], now)).map((row) => [row.id, row]));
      throw new Undone(
        before.flatMap((row) => {
          const kind = nameLoss(row, after.get(row.id) ?? null, now);
          return kind ? [{ groupName: row.name, services: services.get(row.id) ?? 0, kind }] : [];
        }),
      );
    });
  } catch (error) {
    if (error instanceof Undone) return error.losses;
    throw error;
  }
}

const WEEK_MS = 7 * 24 * 60 * 60_000;

function nameLoss(before: ReadLadder, after: ReadLadder | null, now: Date): Loss['kind'] | null {
  if (!after) return 'group';
  if (JSON.stringify(before) === JSON.stringify(after)) return null;
  const [was, will] = [before, after].map((row) => countUntold(row, now)) as [number, number];
  if (will <= was) return null;
  return will >= WEEK_MS ? 'always' : 'sometimes';
}

/** Of the next week, in milliseconds. */
const countUntold = (row: ReadLadder, now: Date): number =>
  findGaps({ id: row.id, name: row.name, ladder: toLadder(row) }, now, 1)
    .filter(({ kind }) => kind === 'nobody')
    .reduce((sum, { startAt, endAt }) => sum + endAt.getTime() - startAt.getTime(), 0);

async function countServices(tx: Tx, organizationId: OrganizationId): Promise<Map<number, number>> {
  const rows = await tx.query<{ groupId: number; count: number }>(sql`
    select notification_group_id as "groupId", count(*)::int as "count"
    from service_settings join service on service.id = service_id
    where service_settings.organization_id = ${organizationId} and archived_at is null
      and notification_group_id is not null
    group by 1`);
  return new Map(rows.map(({ groupId, count }) => [groupId, count]));
}
