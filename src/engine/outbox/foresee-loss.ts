// Whom a change would leave untold: it is made, looked at by the code that decides, and undone.
import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { findGaps, type Gap, WEEK_MS } from '../../domain/notifications/gaps.ts';
import type { Result } from '../../domain/result.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { rehearse } from '../../platform/db/rehearse.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { countHeard, type HeardCount } from './count-heard.ts';
import { type ReadLadder, readLadders, toLadder } from './ladders.ts';

export interface Loss {
  /** Of the group; of the source. */
  name: string;
  /** How many services tell the group; how many are heard through the source. */
  services: number;
  /**
   * `group`: it is gone, and they tell nobody. `always`, `sometimes`: a critical alarm reaches nobody at any hour, or at
   * some. `only_mail`: off hours nobody is woken. `source`: it is gone, and nothing is heard of them.
   */
  kind: 'group' | 'always' | 'sometimes' | 'only_mail' | 'source';
}

interface Read {
  ladders: ReadLadder[];
  heard: HeardCount[];
}

interface Seen {
  before: Read;
  after: Read;
  /** How many services tell each group. */
  services: ReadonlyMap<number, number>;
}

/** Nothing stays of the change. A refused one loses nobody: whoever makes it says so. */
export async function foreseeLoss(
  db: Database,
  organizationIds: readonly OrganizationId[],
  change: (tx: Tx) => Promise<Result<unknown, unknown>>,
  now: Date,
): Promise<readonly Loss[]> {
  const seen = await tryOut(db, organizationIds, change, now);
  return seen ? compare(seen, now) : [];
}

const tryOut = (
  ...[db, organizationIds, change, now]: Parameters<typeof foreseeLoss>
): Promise<Seen | null> =>
  rehearse(db, async (tx) => {
    const read = async (): Promise<Read> => {
      const ladders: ReadLadder[] = [];
      for await (const row of readLadders(tx, organizationIds, now)) ladders.push(row);
      return { ladders, heard: await countHeard(tx, organizationIds) };
    };
    const before = await read();
    const services = await countTelling(tx, organizationIds);
    const changed = await change(tx);
    return changed.ok ? { before, after: await read(), services } : null;
  });

/** It may take its time: nobody waits for what was locked. */
async function compare({ before, after, services }: Seen, now: Date): Promise<Loss[]> {
  const losses: Loss[] = [];
  const ladders = new Map(after.ladders.map((row) => [row.id, row]));
  for (const row of before.ladders) {
    const kind = await nameLoss(row, ladders.get(row.id) ?? null, now);
    const count = services.get(row.id) ?? 0;
    if (kind && (kind !== 'group' || count > 0)) losses.push({ name: row.name, services: count, kind });
  }
  const heard = new Set(after.heard.map(({ id }) => id));
  for (const { id, ...source } of before.heard)
    if (!heard.has(id)) losses.push({ ...source, kind: 'source' });
  return losses;
}

async function nameLoss(
  before: ReadLadder,
  after: ReadLadder | null,
  now: Date,
): Promise<Loss['kind'] | null> {
  if (!after) return 'group';
  if (JSON.stringify(before) === JSON.stringify(after)) return null;
  const was = await measureGaps(before, now);
  const will = await measureGaps(after, now);
  if (will.nobody > was.nobody) return will.nobody >= WEEK_MS ? 'always' : 'sometimes';
  return will.only_mail > was.only_mail ? 'only_mail' : null;
}

type Gaps = Record<Gap['kind'], number>;

/** Of the next week, in milliseconds. */
async function measureGaps({ id, name, ...row }: ReadLadder, now: Date): Promise<Gaps> {
  const sums: Gaps = { nobody: 0, only_mail: 0 };
  const { gaps } = await inSlices(findGaps({ id, name, ladder: toLadder(row) }, now, 1));
  for (const { kind, startAt, endAt } of gaps) sums[kind] += endAt.getTime() - startAt.getTime();
  return sums;
}

async function countTelling(
  tx: Tx,
  organizationIds: readonly OrganizationId[],
): Promise<Map<number, number>> {
  const rows = await tx.query<{ groupId: number; count: number }>(sql`
    select notification_group_id as "groupId", count(*)::int as "count"
    from service_settings join service on service.id = service_id
    where service_settings.organization_id = any(${organizationIds}::int[]) and archived_at is null
      and notification_group_id is not null
    group by 1`);
  return new Map(rows.map(({ groupId, count }) => [groupId, count]));
}
