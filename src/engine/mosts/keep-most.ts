// Whoever writes rows that people can make many of asks here right afterwards. It is counted without a lock: of several that
// write at the same moment each may be the last one, so there may be a few more, as many as there are connections.
import sql, { type Sql } from 'sql-template-tag';
import { MOSTS, type MostName } from '../../domain/mosts.ts';
import type { Tx } from '../../platform/db/database.ts';
import { MostReached } from '../../platform/most-reached.ts';

interface Counted {
  from: Sql;
  owner: Sql;
  /** Those that count. */
  only?: Sql;
}

const ofOrganization = (from: Sql): Counted => ({ from, owner: sql`organization_id` });
const ofGroup = (from: Sql): Counted => ({ from, owner: sql`group_id` });
const ofService = (from: Sql): Counted => ({ from, owner: sql`service_id` });

const COUNTED = {
  members: ofOrganization(sql`membership`),
  invitations: ofOrganization(sql`invitation`),
  services: ofOrganization(sql`service`),
  assets: ofOrganization(sql`asset`),
  locations: ofOrganization(sql`location`),
  devices: ofOrganization(sql`device`),
  channels: ofService(sql`channel`),
  gateways: ofService(sql`service_parent`),
  sources: ofOrganization(sql`source`),
  groups: ofOrganization(sql`notification_group`),
  groupMembers: ofGroup(sql`notification_group_account`),
  groupEmails: ofGroup(sql`notification_group_email`),
  groupRotas: ofGroup(sql`notification_group_rota`),
  webhooks: ofOrganization(
    sql`notification_group_webhook join notification_group on notification_group.id = group_id`,
  ),
  holidays: ofOrganization(sql`holiday`),
  rotaVersions: { from: sql`rota_version`, owner: sql`rota_id` },
  downtimes: {
    ...ofService(sql`downtime`),
    only: sql`series_id is null`,
  },
  mutes: { ...ofService(sql`mute`), only: sql`ended_at is null` },
  unitNotes: ofService(sql`unit_note`),
  walls: ofOrganization(sql`wall_link`),
  floorPlans: ofOrganization(sql`floor_plan`),
  floorPlanMarkers: { from: sql`floor_plan_marker`, owner: sql`plan_id` },
} satisfies Partial<Record<MostName, Counted>>;

type CountedName = keyof typeof COUNTED;

/** `owners`: their ids, or what finds them. */
export async function keepMost(
  tx: Tx,
  name: CountedName,
  owners: readonly number[] | Sql,
  also: Sql = sql`true`,
): Promise<void> {
  const { from, owner, only }: Counted = COUNTED[name];
  const wanted = Array.isArray(owners) ? sql`select unnest(${[...new Set(owners)]}::int[])` : (owners as Sql);
  const over = await tx.query(sql`
    select from ${from} where ${owner} in (${wanted}) and ${only ?? sql`true`} and ${also}
    group by ${owner} having count(*) > ${MOSTS[name].most} limit 1`);
  if (over.length > 0) throw new MostReached(name);
}

/** Which of them have as many as there can be, so that one more would be refused. */
export async function findFull<Id extends number>(
  tx: Tx,
  name: CountedName,
  owners: readonly Id[],
  also: Sql = sql`true`,
): Promise<ReadonlySet<Id>> {
  const { from, owner, only }: Counted = COUNTED[name];
  const full = await tx.query<{ id: Id }>(sql`
    select ${owner} as "id" from ${from}
    where ${owner} = any(${owners}::int[]) and ${only ?? sql`true`} and ${also}
    group by ${owner} having count(*) >= ${MOSTS[name].most}`);
  return new Set(full.map(({ id }) => id));
}

/** What was written, if it was not too much. */
export async function keeping<Row>(
  tx: Tx,
  name: CountedName,
  owners: readonly number[] | Sql,
  writing: Promise<Row[]>,
): Promise<Row[]> {
  const written = await writing;
  if (written.length > 0) await keepMost(tx, name, owners);
  return written;
}

/** The organization of a group. */
export const organizationOfGroup = (groupId: number): Sql =>
  sql`select organization_id from notification_group where id = ${groupId}`;
