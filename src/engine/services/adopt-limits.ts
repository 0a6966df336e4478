// New limits for a channel: edit, delete-band, apply-recommendation and the lab file all come through here.
import sql from 'sql-template-tag';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Band } from '../../domain/judging/band.ts';
import { type Limits, noLimits } from '../../domain/judging/limits.ts';
import type { Tx } from '../../platform/db/database.ts';
import { endAcknowledgements } from '../alarm-state/acknowledgements.ts';
import { reassess } from '../alarm-state/reassess.ts';
import type { LimitsRow } from '../alarm-state/service-config.ts';
import { type ReconfiguringTx, reconfigureBriefly } from './reconfigure-services.ts';

export type LimitsOrigin = 'edit' | 'recommendation' | 'band_delete' | 'lab_file' | 'preset';

export interface LimitsAdoption {
  serviceId: ServiceId;
  organizationId: OrganizationId;
  limits: Limits;
  origin: LimitsOrigin;
  author: { id: AccountId | null; name: string };
  now: Date;
}

/**
 * Retires what is in force, puts the new version in its place, and ends all acknowledgements of the service. The bands
 * are saved exactly as given. Answers with the number of the version.
 */
export async function adoptLimits(
  tx: Tx,
  adoption: LimitsAdoption,
  changeBeside?: ChangeBeside,
): Promise<number> {
  const [version] = await adoptAllLimits(tx, [adoption], adoption.now, changeBeside);
  if (!version) throw new Error('The limits were not adopted');
  return version.version;
}

/** What else of the services is changed, before they are judged again. */
type ChangeBeside = (tx: ReconfiguringTx) => Promise<unknown>;

/** Those of a channel, or of the whole service where it is null. */
interface OwnLimits {
  serviceId: ServiceId;
  channel: string | null;
}

/** A fixed number of statements, however many. No channel of a service may come twice. `retired`: with nothing in their place. */
export async function adoptAllLimits(
  tx: Tx,
  adoptions: Omit<LimitsAdoption, 'now'>[],
  now: Date,
  changeBeside: ChangeBeside = async () => {},
  retired: readonly OwnLimits[] = [],
): Promise<AdoptedVersion[]> {
  const concerned = [
    ...adoptions.map(({ serviceId, limits: { channel } }) => ({ serviceId, channel })),
    ...retired,
  ];
  const serviceIds = [...new Set(concerned.map(({ serviceId }) => serviceId))];
  const { value, held } = await reconfigureBriefly(tx, serviceIds, now, async (changing) => {
    await changeBeside(changing);
    retireVersions(changing, concerned, now);
    if (adoptions.length === 0) return { changed: serviceIds, value: [] };
    const adopted = await insertVersions(changing, adoptions, now);
    insertBands(changing, adoptions, adopted);
    return { changed: serviceIds, value: adopted };
  });
  endAcknowledgements(tx, held, 'limits_changed', now);
  await reassess(tx, serviceIds, now);
  return value;
}

export interface PresetLimits {
  serviceId: ServiceId;
  channel: string;
  bands: Band[];
}

/** Of channels that join by themselves and have no limits yet: nothing was judged by others before. */
export async function presetLimits(
  tx: ReconfiguringTx,
  presets: readonly PresetLimits[],
  now: Date,
): Promise<LimitsRow[]> {
  if (presets.length === 0) return [];
  const adoptions = presets.map(({ serviceId, channel, bands }) => ({
    serviceId,
    limits: { ...noLimits(channel), bands },
    origin: 'preset' as const,
    author: { id: null, name: 'Tocsin' },
  }));
  const versions = await insertVersions(tx, adoptions, now);
  insertBands(tx, adoptions, versions);
  return versions.map(({ id, serviceId, channel }) => ({
    ...noLimits(channel),
    serviceId,
    versionId: id,
    bands: presets.find((one) => one.serviceId === serviceId && one.channel === channel)?.bands ?? [],
  }));
}

interface AdoptedVersion {
  id: number;
  serviceId: ServiceId;
  channel: string | null;
  version: number;
}

type Adopted = Pick<LimitsAdoption, 'serviceId' | 'limits'>[];

const retireVersions = (tx: ReconfiguringTx, retired: readonly OwnLimits[], now: Date): void =>
  tx.later(sql`
    update limits_version set retired_at = greatest(created_at, ${now}::timestamptz)
    from unnest(${retired.map(({ serviceId }) => serviceId)}::int[],
      ${retired.map(({ channel }) => channel)}::text[]) as given (service_id, channel)
    where limits_version.service_id = given.service_id
      and limits_version.channel is not distinct from given.channel and retired_at is null`);

/**
 * Numbers continue over retired versions; whoever changes services comes alone. Times follow the numbers: of two
 * at the same moment, the one that came first may have waited longer for the lock.
 */
const insertVersions = (
  tx: ReconfiguringTx,
  adoptions: Omit<LimitsAdoption, 'organizationId' | 'now'>[],
  now: Date,
) =>
  tx.query<AdoptedVersion>(sql`
    insert into limits_version (service_id, channel, version, is_percentage, setpoint_channel, state_channel,
      origin, author_id, author_name, created_at)
    select given.service_id, given.channel, 1 + coalesce(earlier.version, 0),
      given.is_percentage, given.setpoint_channel, given.state_channel,
      given.origin, given.author_id, given.author_name, greatest(earlier.created_at, ${now}::timestamptz)
    from unnest(${adoptions.map(({ serviceId }) => serviceId)}::int[],
      ${adoptions.map(({ limits }) => limits.channel)}::text[],
      ${adoptions.map(({ limits }) => limits.isPercentage)}::bool[],
      ${adoptions.map(({ limits }) => limits.setpointChannel)}::text[],
      ${adoptions.map(({ limits }) => limits.stateChannel)}::text[],
      ${adoptions.map(({ origin }) => origin)}::text[],
      ${adoptions.map(({ author }) => author.id)}::int[],
      ${adoptions.map(({ author }) => author.name)}::text[])
      as given (service_id, channel, is_percentage, setpoint_channel, state_channel, origin, author_id, author_name)
    left join lateral (
      select version, created_at from limits_version
      where limits_version.service_id = given.service_id
        and limits_version.channel is not distinct from given.channel
      order by version desc limit 1) as earlier on true
    returning id, service_id as "serviceId", channel, version`);

function insertBands(tx: ReconfiguringTx, adoptions: Adopted, versions: AdoptedVersion[]): void {
  const nameOf = (serviceId: ServiceId, channel: string | null) => JSON.stringify([serviceId, channel]);
  const ids = new Map(versions.map(({ id, serviceId, channel }) => [nameOf(serviceId, channel), id]));
  const bands = adoptions.flatMap(({ serviceId, limits }) =>
    limits.bands.map((band) => ({ ...band, versionId: ids.get(nameOf(serviceId, limits.channel)) })),
  );
  tx.later(sql`
    insert into limits_band (limits_version_id, band, limit_value, delay_minutes, sustained_minutes)
    select * from unnest(${bands.map(({ versionId }) => versionId)}::int[],
      ${bands.map(({ band }) => band)}::text[], ${bands.map(({ limit }) => limit)}::float8[],
      ${bands.map(({ delayMinutes }) => delayMinutes)}::float8[],
      ${bands.map(({ sustainedMinutes }) => sustainedMinutes)}::float8[])`);
}
