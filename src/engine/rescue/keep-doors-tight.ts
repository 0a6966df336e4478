// The door of a refuge has half its time as long as room in it is reserved: the limits stay as they are, and are read so
// (`alarm-state/service-config.ts`). That it begins and ends is a change of what the unit is judged by, as any other.
import sql, { type Sql } from 'sql-template-tag';
import { withoutAccount } from '../../domain/accounts/requester.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { DOOR_NAME } from '../../domain/rescue/door-time.ts';
import type { Database, ReadDatabase, Tx } from '../../platform/db/database.ts';
import { togetherOrAlone } from '../../platform/process/each-alone.ts';
import { reassess } from '../alarm-state/reassess.ts';
import { writeAudits } from '../audit/write-audit.ts';
import { reconfigureServices } from '../services/reconfigure-services.ts';

const MOST_AT_ONCE = 200;

/** Any number of programs may look: whoever holds the unit finds out what is still to be done. */
export async function keepDoorsTight(db: Database, now: Date): Promise<void> {
  await togetherOrAlone(
    await selectDue(db, now),
    (serviceId) => `the door of service ${serviceId}`,
    (serviceIds) => db.transaction((tx) => changeDoors(tx, serviceIds, now)),
  );
}

async function changeDoors(tx: Tx, serviceIds: readonly ServiceId[], now: Date): Promise<void> {
  const changed = await reconfigureServices(tx, serviceIds, now, async (held) => {
    const value = await updateDoors(held, serviceIds, now);
    return { changed: value.map(({ serviceId }) => serviceId), value };
  });
  if (changed.length === 0) return;
  await reassess(
    tx,
    changed.map(({ serviceId }) => serviceId),
    now,
  );
  const records = changed.map(({ isTight, ...unit }) => ({
    action: isTight ? ('rescue.door_tightened' as const) : ('rescue.door_restored' as const),
    ...unit,
  }));
  writeAudits(tx, withoutAccount('Tocsin'), records, now);
}

/** Of the row of `rescue`: whether its door is to be tight. */
const holdsRoom = (now: Date): Sql => sql`(
  exists (select from rescue_reservation taken
    where taken.refuge_id = rescue.service_id and taken.ended_at is null and taken.until > ${now})
  and exists (select from channel join limits_version limits on limits.service_id = channel.service_id
      and limits.channel = channel.name and limits.retired_at is null
    where channel.service_id = rescue.service_id and channel.kind = 'state' and channel.name ~* ${DOOR_NAME}))`;

async function selectDue(db: ReadDatabase, now: Date): Promise<ServiceId[]> {
  const rows = await db.query<{ serviceId: ServiceId }>(sql`
    select service_id as "serviceId" from rescue
    where (door_tight_since is not null
        or service_id in (select refuge_id from rescue_reservation where ended_at is null and until > ${now}))
      and (door_tight_since is not null) <> ${holdsRoom(now)}
    order by service_id limit ${MOST_AT_ONCE}`);
  return rows.map(({ serviceId }) => serviceId);
}

const updateDoors = (tx: Tx, serviceIds: readonly ServiceId[], now: Date) =>
  tx.query<{ serviceId: ServiceId; organizationId: OrganizationId; isTight: boolean }>(sql`
    update rescue set door_tight_since = case when door_tight_since is null then ${now}::timestamptz end
    where service_id = any(${serviceIds}::int[]) and (door_tight_since is not null) <> ${holdsRoom(now)}
    returning service_id as "serviceId", organization_id as "organizationId", door_tight_since is not null as "isTight"`);
