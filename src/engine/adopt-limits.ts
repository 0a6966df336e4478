// New limits for a channel: edit, delete-band, apply-recommendation and the lab file all come through here.
import sql from 'sql-template-tag';
import { isWorthSaving } from '../domain/band.ts';
import type { AccountId, OrganizationId, ServiceId } from '../domain/ids.ts';
import type { Limits } from '../domain/limits.ts';
import type { Tx } from '../platform/db/database.ts';
import { reassess } from './reassess.ts';
import { endAcknowledgements, lockAlarmStates, raiseConfigVersions } from './services.ts';

export interface LimitsAdoption {
  serviceId: ServiceId;
  organizationId: OrganizationId;
  limits: Limits;
  origin: 'edit' | 'recommendation' | 'band_delete' | 'lab_file';
  author: { id: AccountId | null; name: string };
  now: Date;
}

/** Retires what is in force, puts the new version in its place, and ends all acknowledgements of the service. */
export const adoptLimits = (tx: Tx, adoption: LimitsAdoption): Promise<void> =>
  adoptAllLimits(tx, [adoption], adoption.now);

/** A fixed number of statements, however many. No channel of a service may come twice. */
export async function adoptAllLimits(
  tx: Tx,
  adoptions: Omit<LimitsAdoption, 'now'>[],
  now: Date,
): Promise<void> {
  const serviceIds = [...new Set(adoptions.map(({ serviceId }) => serviceId))];
  await lockAlarmStates(tx, serviceIds);
  await retireVersions(tx, adoptions, now);
  await insertBands(tx, adoptions, await insertVersions(tx, adoptions, now));
  endAcknowledgements(tx, serviceIds, 'limits_changed', now);
  raiseConfigVersions(tx, serviceIds);
  await reassess(tx, serviceIds, now);
}

type Adopted = Pick<LimitsAdoption, 'serviceId' | 'limits'>[];

const retireVersions = (tx: Tx, adoptions: Adopted, now: Date) =>
  tx.query(sql`
    update limits_version set retired_at = ${now}
    from unnest(${adoptions.map(({ serviceId }) => serviceId)}::int[],
      ${adoptions.map(({ limits }) => limits.channel)}::text[]) as given (service_id, channel)
    where limits_version.service_id = given.service_id
      and limits_version.channel is not distinct from given.channel and retired_at is null`);

/** Numbers continue over retired versions; the lock on the alarm state keeps them apart. */
const insertVersions = (tx: Tx, adoptions: Omit<LimitsAdoption, 'now'>[], now: Date) =>
  tx.query<{ id: number; serviceId: ServiceId; channel: string | null }>(sql`
    insert into limits_version (service_id, channel, version, is_percentage, setpoint_channel, state_channel,
      origin, author_id, author_name, created_at)
    select given.service_id, given.channel,
      1 + coalesce((select max(version) from limits_version earlier
        where earlier.service_id = given.service_id and earlier.channel is not distinct from given.channel), 0),
      given.is_percentage, given.setpoint_channel, given.state_channel,
      given.origin, given.author_id, given.author_name, ${now}
    from unnest(${adoptions.map(({ serviceId }) => serviceId)}::int[],
      ${adoptions.map(({ limits }) => limits.channel)}::text[],
      ${adoptions.map(({ limits }) => limits.isPercentage)}::bool[],
      ${adoptions.map(({ limits }) => limits.setpointChannel)}::text[],
      ${adoptions.map(({ limits }) => limits.stateChannel)}::text[],
      ${adoptions.map(({ origin }) => origin)}::text[],
      ${adoptions.map(({ author }) => author.id)}::int[],
      ${adoptions.map(({ author }) => author.name)}::text[])
      as given (service_id, channel, is_percentage, setpoint_channel, state_channel, origin, author_id, author_name)
    returning id, service_id as "serviceId", channel`);

function insertBands(
  tx: Tx,
  adoptions: Adopted,
  versions: { id: number; serviceId: ServiceId; channel: string | null }[],
) {
  const nameOf = (serviceId: ServiceId, channel: string | null) => JSON.stringify([serviceId, channel]);
  const ids = new Map(versions.map(({ id, serviceId, channel }) => [nameOf(serviceId, channel), id]));
  const bands = adoptions.flatMap(({ serviceId, limits }) =>
    limits.bands
      .filter(isWorthSaving)
      .map((band) => ({ ...band, versionId: ids.get(nameOf(serviceId, limits.channel)) })),
  );
  return tx.query(sql`
    insert into limits_band (limits_version_id, band, limit_value, delay_minutes, sustained_minutes)
    select * from unnest(${bands.map(({ versionId }) => versionId)}::int[],
      ${bands.map(({ band }) => band)}::text[], ${bands.map(({ limit }) => limit)}::float8[],
      ${bands.map(({ delayMinutes }) => delayMinutes)}::float8[],
      ${bands.map(({ sustainedMinutes }) => sustainedMinutes)}::float8[])`);
}
