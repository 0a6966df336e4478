// After new limits every channel is judged again at once, from the stored readings.
import sql from 'sql-template-tag';
import type { ServiceId } from '../domain/ids.ts';
import type { Instant, Moment } from '../domain/judge.ts';
import type { Tx } from '../platform/db/database.ts';
import { lockServices } from './alarm-store.ts';
import { assessAgain } from './assess.ts';
import { gatherStates, writeAssessments } from './judge-services.ts';
import { loadServiceConfigs, type ServiceConfig } from './service-config.ts';

const FUTURE_MS = 10 * 60_000;

export async function reassess(tx: Tx, serviceIds: ServiceId[], now: Date): Promise<void> {
  const { alarms, channels: stored } = await lockServices(tx, serviceIds);
  const configs = new Map(
    (await loadServiceConfigs(tx, serviceIds)).map((config) => [config.serviceId, config]),
  );
  const states = gatherStates(configs, stored);
  const histories = await selectHistories(tx, [...configs.values()], now);
  const assessed = alarms.flatMap((stored) => {
    const config = configs.get(stored.serviceId);
    const channels = states.get(stored.serviceId);
    if (!config || config.isArchived || !channels) return [];
    const history = histories.get(stored.serviceId) ?? [];
    return [{ stored, assessment: assessAgain(config, stored, channels, history, now.getTime()) }];
  });
  await writeAssessments(tx, assessed, now);
}

/** The readings that decide what is active now: as far back as the longest sustained time, and the one before that. */
async function selectHistories(
  tx: Tx,
  configs: ServiceConfig[],
  now: Date,
): Promise<Map<ServiceId, Moment[]>> {
  const wanted = configs.flatMap((config) => {
    const from = now.getTime() - findLongestSustained(config);
    return [...config.channels.values()].map(({ id }) => ({ config, id, from }));
  });
  const rows = await tx.query<{ serviceId: ServiceId; channelId: number; at: Date; value: number }>(sql`
    select given.service_id as "serviceId", given.channel_id as "channelId", taken_at as "at", value
    from unnest(${wanted.map(({ config }) => config.serviceId)}::int[], ${wanted.map(({ id }) => id)}::int[],
      ${wanted.map(({ from }) => new Date(from))}::timestamptz[]) as given (service_id, channel_id, begins_at)
    cross join lateral (
      (select taken_at, value from reading
        where service_id = given.service_id and channel_id = given.channel_id
          and taken_at >= given.begins_at and taken_at <= ${new Date(now.getTime() + FUTURE_MS)})
      union all
      (select taken_at, value from reading
        where service_id = given.service_id and channel_id = given.channel_id and taken_at < given.begins_at
        order by taken_at desc limit 1)) as kept
    order by taken_at`);

  const byTime = new Map<ServiceId, Map<Instant, [string, number][]>>();
  const known = new Map(configs.map((config) => [config.serviceId, config]));
  for (const { serviceId, channelId, at, value } of rows) {
    const name = known.get(serviceId)?.channelsById.get(channelId)?.name;
    if (name === undefined) continue;
    const moments = byTime.get(serviceId) ?? new Map<Instant, [string, number][]>();
    byTime.set(serviceId, moments);
    const instant = Math.min(at.getTime(), now.getTime());
    moments.set(instant, [...(moments.get(instant) ?? []), [name, value]]);
  }
  return new Map(
    [...byTime].map(([serviceId, moments]) => [
      serviceId,
      [...moments].map(([at, values]) => ({ at, values })),
    ]),
  );
}

const findLongestSustained = ({ limits }: ServiceConfig): number =>
  Math.max(0, ...[...limits.values()].flatMap(({ bands }) => bands.map(({ sustainedMs }) => sustainedMs)));
