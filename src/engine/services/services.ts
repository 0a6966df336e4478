// The life of a service, for the lab file, the pages and the command line alike.
import sql from 'sql-template-tag';
import type { ServiceSettings } from '../../domain/equipment/service-settings.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { endAcknowledgements } from '../alarm-state/acknowledgements.ts';
import { clearAlarmStates, insertAlarmStates } from '../alarm-state/alarm-states.ts';
import type { LockedService } from '../journal/lock-alarm-states.ts';
import { keepMost } from '../mosts/keep-most.ts';
import { insertSchedules } from '../outbox/look-again.ts';
import { GIVEN_SETTINGS } from '../sql-parts/settings.ts';
import { reconfigureServices, unchanged } from './reconfigure-services.ts';
import { GIVEN_SERVICE, type ServiceFields } from './service-rows.ts';

export interface NewService
  extends Omit<ServiceFields, 'template'>,
    Partial<Pick<ServiceFields, 'template'>> {
  organizationId: OrganizationId;
  settings: ServiceSettings;
}

/** Makes settings, alarm state and what is told of it: no service is ever without them. */
export async function createService(tx: Tx, service: NewService, now: Date): Promise<ServiceId> {
  const [id] = await createServices(tx, [service], now);
  if (id === undefined) throw new Error('The service was not created');
  return id;
}

/** Answers with the ids in the order of the services. */
export async function createServices(tx: Tx, services: NewService[], now: Date): Promise<ServiceId[]> {
  const ids = await takeServiceIds(tx, services.length);
  const rows = services.map(({ settings, ...service }, index) => ({
    id: ids[index],
    ...service,
    ...settings,
  }));
  tx.later(sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify(rows)}) as given (
        id int, "organizationId" int, ${GIVEN_SERVICE.definition}, ${GIVEN_SETTINGS.definition})),
    settings as (
      insert into service_settings (service_id, organization_id, ${GIVEN_SETTINGS.columns})
      select id, "organizationId", ${GIVEN_SETTINGS.values}
      from given)
    insert into service (id, organization_id, ${GIVEN_SERVICE.columns}, created_at) overriding system value
    select id, "organizationId", ${GIVEN_SERVICE.values}, ${now} from given`);
  insertAlarmStates(tx, ids);
  insertSchedules(tx, ids);
  const owners = services.map(({ organizationId }) => organizationId);
  await keepMost(tx, 'services', owners);
  return ids;
}

/** Taken first, so that many services can be written at once and still be told apart. */
async function takeServiceIds(tx: Tx, count: number): Promise<ServiceId[]> {
  const rows = await tx.query<{ id: ServiceId }>(sql`
    select nextval(pg_get_serial_sequence('service', 'id'))::int as "id" from generate_series(1, ${count}::int)`);
  return rows.map(({ id }) => id);
}

/** Ends the episode and every acknowledgement: an archived service is normal. Answers with those that were not yet. */
export const archiveServices = (tx: Tx, serviceIds: readonly ServiceId[], now: Date): Promise<ServiceId[]> =>
  reconfigureServices(tx, serviceIds, now, async (_, held) => {
    const archived = await tx.query<{ id: LockedService }>(sql`
      update service set archived_at = ${now}
      where id = any(${held}::int[]) and archived_at is null returning id`);
    if (archived.length === 0) return unchanged([]);
    const ids = archived.map(({ id }) => id);
    clearAlarmStates(tx, ids, now);
    endAcknowledgements(tx, ids, 'archived', now);
    return { changed: ids, value: ids };
  });

/** Answers with those that were archived. */
export const restoreServices = (tx: Tx, serviceIds: readonly ServiceId[], now: Date): Promise<ServiceId[]> =>
  reconfigureServices(tx, serviceIds, now, async () => {
    const restored = await tx.query<{ id: ServiceId }>(sql`
      update service set archived_at = null
      where id = any(${serviceIds}::int[]) and archived_at is not null returning id`);
    const ids = restored.map(({ id }) => id);
    return { changed: ids, value: ids };
  });
