// What is stored of a service's configuration, for those who change it through the interface.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../src/domain/ids.ts';
import { first } from '../../src/platform/db/database.ts';
import type { TestServer } from './test-server.ts';

/** A form that may be sent as it is: the temperature channel, no bands. */
export const BLANK_EDIT = { metric_channel: 'temperature', ch_high: '', cl_low: '', wh_high: '', wl_low: '' };

interface StoredVersion {
  channel: string | null;
  version: number;
  isPercentage: boolean;
  setpointChannel: string | null;
  stateChannel: string | null;
  origin: string;
  authorId: number | null;
  authorName: string;
  createdAt: Date;
  retiredAt: Date | null;
  bands: { band: string; limit: number | null; delay: number; sustained: number }[];
}

/** All versions of all channels, oldest first. */
export const versionsOf = ({ db }: TestServer, { id }: { id: ServiceId }) =>
  db.query<StoredVersion>(sql`
    select channel, version, is_percentage as "isPercentage", setpoint_channel as "setpointChannel",
      state_channel as "stateChannel", origin, author_id as "authorId", author_name as "authorName",
      created_at as "createdAt", retired_at as "retiredAt",
      coalesce((select json_agg(json_build_object('band', band, 'limit', limit_value, 'delay', delay_minutes,
          'sustained', sustained_minutes) order by band)
        from limits_band where limits_version_id = limits_version.id), '[]') as "bands"
    from limits_version where service_id = ${id} order by id`);

/** The bands of the version in force, as `CRITICAL_HIGH -60 delay 0 sustained 5`; null: there is none. */
export async function bandsInForce(
  server: TestServer,
  service: { id: ServiceId },
  channel: string | null = 'temperature',
): Promise<string[] | null> {
  const inForce = (await versionsOf(server, service)).filter(({ retiredAt }) => retiredAt === null);
  const bands = inForce.find((version) => version.channel === channel)?.bands;
  return (
    bands?.map(
      ({ band, limit, delay, sustained }) => `${band} ${limit} delay ${delay} sustained ${sustained}`,
    ) ?? null
  );
}

export const settingsOf = async ({ db }: TestServer, { id }: { id: ServiceId }) =>
  first(
    await db.query<Record<string, unknown>>(sql`
      select service.name, service_settings.* from service_settings
      join service on service.id = service_id where service_id = ${id}`),
  );

export const createGroup = async ({ db, clock }: TestServer, organization: number, name: string) =>
  first(
    await db.query<{ id: number }>(sql`
      insert into notification_group (organization_id, name, created_at)
      values (${organization}, ${name}, ${clock.read()}) returning id`),
  )?.id as number;
