// Sirens and lamps: which of them have to be told how to stand, and what came of it.

import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { MOSTS } from '../../domain/mosts.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { type Database, first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

/** A switch that hears nothing for twice as long falls back. */
export const RENEW_SECONDS = 60;

export interface Relay {
  id: number;
  url: string;
  switchId: number;
  password: string | null;
  deadMan: boolean;
  isOn: boolean | null;
  toldAt: Date | null;
  lastError: string | null;
}

const COLUMNS = sql`
  relay.id, url, switch_id as "switchId", password, dead_man as "deadMan", is_on as "isOn", told_at as "toldAt",
  last_error as "lastError"`;

export const readRelays = (db: ReadDatabase, groupId: number) =>
  db.query<Relay>(sql`select ${COLUMNS} from relay where group_id = ${groupId} order by id`);

export async function insertRelay(
  tx: Tx,
  groupId: number,
  { url, switchId, password, deadMan }: Pick<Relay, 'url' | 'switchId' | 'password' | 'deadMan'>,
  now: Date,
): Promise<Result<{ id: number }, 'relay_there' | 'too_many_relays'>> {
  const [there] = await tx.query<{ relays: number }>(sql`
    select count(*)::int as relays from relay join notification_group on notification_group.id = group_id
    where organization_id = (select organization_id from notification_group where id = ${groupId})`);
  if ((there?.relays ?? 0) >= MOSTS.relays.most) return refuse('too_many_relays');
  const added = first(
    await tx.query<{ id: number }>(sql`
      insert into relay (group_id, url, switch_id, password, dead_man, created_at)
      values (${groupId}, ${url}, ${switchId}, ${password}, ${deadMan}, ${now})
      on conflict (group_id, url, switch_id) do nothing returning id`),
  );
  return added ? ok(added) : refuse('relay_there');
}

/** It is told anew, as it is meant by now. */
export const setRelay = (tx: Tx, id: number, { password, deadMan }: Pick<Relay, 'password' | 'deadMan'>) =>
  tx.query(sql`
    update relay set password = ${password}, dead_man = ${deadMan}, is_on = null, told_at = null where id = ${id}`);

export const deleteRelay = async (tx: Tx, groupId: number, relayId: number) =>
  first(
    await tx.query<{ url: string }>(sql`
      delete from relay where id = ${relayId} and group_id = ${groupId} returning url`),
  );

export interface DueRelay extends Relay {
  organizationId: OrganizationId;
  wanted: boolean;
}

interface RelayRoom {
  /** In hand of one organization. */
  most: number;
  held: readonly { id: number; organizationId: number }[];
}

/**
 * On while a critical alarm of the group holds that nobody has acknowledged, and that is not muted, in downtime or sent to
 * nobody. Due: it is to stand otherwise than it was told, or has to be told again. Of each organization a few, first those that
 * could be told the last time, then those that were tried longest ago. Locks what nobody else is taking.
 */
export const leaseRelays = (db: Database, { most, held }: RelayRoom, leasedUntil: Date, now: Date) =>
  db.query<DueRelay>(sql`
    with wanted as materialized (
      select relay.id, exists (
        select from service_settings settings
        join alarm_state on alarm_state.service_id = settings.service_id and severity = 'critical'
        join service on service.id = settings.service_id and archived_at is null
        where settings.notification_group_id = relay.group_id and send_critical
          and not exists (select from acknowledgement where acknowledgement.service_id = settings.service_id
            and ended_at is null and acknowledgement.severity = 'CRITICAL')
          and not exists (select from mute where mute.service_id = settings.service_id and ended_at is null)
          and not exists (select from downtime where downtime.service_id = settings.service_id
            and start_at <= ${now} and end_at > ${now})) as wanted
      from relay
      where (leased_until is null or leased_until <= ${now} or leased_until > ${leasedUntil})
        and id <> all(${held.map(({ id }) => id)}::int[])),
    due as materialized (
      select relay.id, wanted.wanted, organization_id,
        row_number() over (partition by organization_id order by last_error is not null, leased_until nulls first, relay.id) as place
      from relay join wanted on wanted.id = relay.id
      join notification_group on notification_group.id = relay.group_id
      where is_on is distinct from wanted.wanted or told_at is null
        or told_at <= ${new Date(now.getTime() - RENEW_SECONDS * 1000)} or told_at > ${now}),
    taken as materialized (
      select relay.id, due.wanted, due.organization_id from relay join due on due.id = relay.id
      where place <= ${most}::int - (
        select count(*) from unnest(${held.map(({ organizationId }) => organizationId)}::int[]) as held (organization_id)
        where held.organization_id = due.organization_id)
      for no key update of relay skip locked)
    update relay set leased_until = ${leasedUntil} from taken where relay.id = taken.id
    returning ${COLUMNS}, taken.wanted, taken.organization_id as "organizationId"`);

/** What could not be told stays as it was, and is tried again after others that could not. */
export const markRelay = (
  db: Database,
  { id, wanted }: Pick<DueRelay, 'id' | 'wanted'>,
  error: string | null,
  now: Date,
) =>
  db.query(sql`
    update relay set leased_until = case when ${error}::text is null then null else ${now}::timestamptz end,
      last_error = ${error},
      is_on = case when ${error}::text is null then ${wanted} else is_on end,
      told_at = case when ${error}::text is null then ${now}::timestamptz else told_at end
    where id = ${id}`);
