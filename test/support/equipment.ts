// Equipment and its alarms, put in past the engine, so that a test can begin in any state.
import sql from 'sql-template-tag';
import { DEFAULT_SETTINGS } from '../../src/domain/equipment/service-settings.ts';
import type { AccountId, OrganizationId, ServiceId } from '../../src/domain/ids.ts';
import { archiveServices, createService } from '../../src/engine/services/services.ts';
import { first } from '../../src/platform/db/database.ts';
import { minutes } from './movable-clock.ts';
import type { People, Person } from './people.ts';
import type { TestServer } from './test-server.ts';

export interface Freezer {
  id: ServiceId;
  name: string;
}

export interface FreezerSettings {
  name?: string;
  /** Of the temperature channel. */
  label?: string | null;
  /** null: the asset stands nowhere. Left out: no asset at all. */
  location?: string | null;
  organization?: OrganizationId;
}

let freezers = 0;

export async function createFreezer(
  server: TestServer,
  people: People,
  settings: FreezerSettings = {},
): Promise<Freezer> {
  freezers += 1;
  const { name = `Freezer ${freezers}`, label = 'Temperature', location } = settings;
  const { organization: organizationId = people.organization } = settings;
  const now = server.clock.read();
  return server.db.transaction(async (tx) => {
    const place = location
      ? first(
          await tx.query<{ id: number }>(sql`
            insert into location (organization_id, name) values (${organizationId}, ${location}) returning id`),
        )
      : null;
    const asset =
      location === undefined
        ? null
        : first(
            await tx.query<{ id: number }>(sql`
              insert into asset (organization_id, name, location_id)
              values (${organizationId}, ${`ULT-${freezers}`}, ${place?.id ?? null}) returning id`),
          );
    const service = {
      organizationId,
      key: null,
      name,
      assetId: asset?.id ?? null,
      settings: DEFAULT_SETTINGS,
    };
    const id = await createService(tx, service, now);
    await tx.query(sql`
      insert into channel (service_id, name, label, unit, kind, created_at)
      values (${id}, 'temperature', ${label}, '°C', 'metric', ${now}), (${id}, 'battery', null, '%', 'diagnostic', ${now})`);
    return { id, name };
  });
}

export interface Alarm {
  severity: 'critical' | 'warning';
  since?: Date;
  channel?: string;
  message?: string;
}

export const TOO_WARM = 'Temperature -55.2 °C is above the critical limit of -60 °C';

/** Keeps the episode of an alarm that holds already. */
export const setAlarm = (
  { db, clock }: TestServer,
  { id }: Freezer,
  { severity, since = clock.read(), channel = 'temperature', message = TOO_WARM }: Alarm,
) =>
  db.query(sql`
    update alarm_state
    set severity = ${severity}, severity_since = ${since}, channel = ${channel}, message = ${message},
      band = upper(${severity}) || '_HIGH', limit_value = case ${severity} when 'critical' then -60 else -65 end,
      episode_id = coalesce(episode_id, nextval('episode_id'))
    where service_id = ${id}`);

export const setStale = ({ db }: TestServer, { id }: Freezer, since: Date | null) =>
  db.query(sql`update alarm_state set stale_since = ${since} where service_id = ${id}`);

/** The newest reading of one channel. */
export const setTelemetry = ({ db }: TestServer, { id }: Freezer, channel: string, at: Date) =>
  db.query(sql`
    update alarm_state set channel_ids = channel_ids || channel.id, channel_values = channel_values || 1::float8,
      channel_at_ms = channel_at_ms || ${at.getTime()}::bigint
    from channel where channel.service_id = ${id} and name = ${channel} and alarm_state.service_id = ${id}`);

/** One that no reading of a test reaches: with a reading of it, the service is watched. */
export const setLimits = ({ db, clock }: TestServer, { id }: Freezer) =>
  db.query(sql`
    with version as (
      insert into limits_version (service_id, channel, version, is_percentage, origin, author_name, created_at)
      values (${id}, 'temperature', 1, false, 'edit', 'Ada', ${clock.read()}) returning id)
    insert into limits_band (limits_version_id, band, limit_value, delay_minutes, sustained_minutes)
    select id, 'CRITICAL_HIGH', 1000, 0, 0 from version`);

export const archive = ({ db, clock }: TestServer, { id }: Freezer) =>
  db.transaction((tx) => archiveServices(tx, [id], clock.read()));

/** From and until count from now. */
export const setDowntime = ({ db, clock }: TestServer, { id }: Freezer, fromMs: number, untilMs: number) => {
  const now = clock.read().getTime();
  return db.query(sql`
    insert into downtime (service_id, start_at, end_at, reason, created_by_id, created_by_name, created_at)
    values (${id}, ${new Date(now + fromMs)}, ${new Date(now + untilMs)}, 'Defrost', 1, 'Oscar', ${clock.read()})`);
};

export const minutesAgo = ({ clock }: TestServer, count: number): Date =>
  new Date(clock.read().getTime() - minutes(count));

interface StoredAcknowledgement {
  id: number;
  severity: string;
  comment: string | null;
  episodeId: string;
  accountId: AccountId;
  accountName: string;
  createdAt: Date;
  endedAt: Date | null;
  endReason: string | null;
}

export const acknowledgementsOf = ({ db }: TestServer, { id }: Freezer) =>
  db.query<StoredAcknowledgement>(sql`
    select id, severity, comment, episode_id as "episodeId", account_id as "accountId", account_name as "accountName",
      created_at as "createdAt", ended_at as "endedAt", end_reason as "endReason"
    from acknowledgement where service_id = ${id} order by id`);

export const episodeOf = async ({ db }: TestServer, { id }: Freezer) =>
  first(
    await db.query<{ episodeId: string | null }>(sql`
      select episode_id as "episodeId" from alarm_state where service_id = ${id}`),
  )?.episodeId;

interface StoredMute {
  reason: string | null;
  accountId: AccountId;
  accountName: string;
  createdAt: Date;
  endedAt: Date | null;
}

export const mutesOf = ({ db }: TestServer, { id }: Freezer) =>
  db.query<StoredMute>(sql`
    select reason, account_id as "accountId", account_name as "accountName", created_at as "createdAt",
      ended_at as "endedAt"
    from mute where service_id = ${id} order by id`);

interface StoredAudit {
  action: string;
  detail: object;
  organizationId: OrganizationId;
  accountId: AccountId;
  accountName: string;
  happenedAt: Date;
  address: string | null;
  requestId: string | null;
}

/** Everything on record about one service, oldest first. */
export const auditOfService = ({ db }: TestServer, { id }: Freezer) =>
  db.query<StoredAudit>(sql`
    select action, detail, organization_id as "organizationId", account_id as "accountId",
      account_name as "accountName", happened_at as "happenedAt", address, request_id as "requestId"
    from audit where service_id = ${id} order by id`);

export const organizationOf = async ({ db }: TestServer, { id }: Person): Promise<OrganizationId> => {
  const row = first(
    await db.query<{ id: OrganizationId }>(sql`
      select organization_id as "id" from membership where account_id = ${id}`),
  );
  return row?.id as OrganizationId;
};
