// After new limits every channel is judged again at once, from the stored readings.
import sql from 'sql-template-tag';
import type { ServiceId } from '../domain/ids.ts';
import type { Instant, Moment } from '../domain/judge.ts';
import type { Tx } from '../platform/db/database.ts';
import { lockServices, type StoredChannel } from './alarm-store.ts';
import { assessAgain } from './assess.ts';
import { gatherStates, writeAssessments } from './judge-services.ts';
import { loadServiceConfigs, type ServiceConfig } from './service-config.ts';

export async function reassess(tx: Tx, serviceIds: ServiceId[], now: Date): Promise<void> {
  const { alarms, channels: stored } = await lockServices(tx, serviceIds);
  const configs = new Map(
    (await loadServiceConfigs(tx, serviceIds)).map((config) => [config.serviceId, config]),
  );
  const states = gatherStates(configs, stored);
  const histories = await selectHistories(tx, configs, stored, now);
  const assessed = alarms.flatMap((stored) => {
    const config = configs.get(stored.serviceId);
    const channels = states.get(stored.serviceId);
    if (!config || config.isArchived || !channels) return [];
    const history = histories.get(stored.serviceId) ?? [];
    return [{ stored, assessment: assessAgain(config, stored, channels, history, now.getTime()) }];
  });
  await writeAssessments(tx, assessed, now);
}

/**
 * The readings that decide what is active now: as far back as the longest sustained time, and the one before that. The
 * newest is the one judged last, which is not always the one with the latest time.
 */
async function selectHistories(
  tx: Tx,
  configs: ReadonlyMap<ServiceId, ServiceConfig>,
  channels: readonly StoredChannel[],
  now: Date,
): Promise<Map<ServiceId, Moment[]>> {
  const wanted = channels.map(({ serviceId, channelId, state }) => {
    const config = configs.get(serviceId);
    const from = now.getTime() - (config ? findLongestSustained(config) : 0);
    return { serviceId, channelId, from: new Date(from), until: new Date(state.at ?? 0) };
  });
  const rows = await tx.query<{ serviceId: ServiceId; channelId: number; at: Date; value: number }>(sql`
    select given.service_id as "serviceId", given.channel_id as "channelId", taken_at as "at", value
    from unnest(${wanted.map(({ serviceId }) => serviceId)}::int[], ${wanted.map(({ channelId }) => channelId)}::int[],
      ${wanted.map(({ from }) => from)}::timestamptz[], ${wanted.map(({ until }) => until)}::timestamptz[])
      as given (service_id, channel_id, begins_at, judged_at)
    cross join lateral (
      (select taken_at, value from reading
        where service_id = given.service_id and channel_id = given.channel_id
          and taken_at >= given.begins_at and taken_at < given.judged_at)
      union all
      (select taken_at, value from reading
        where service_id = given.service_id and channel_id = given.channel_id
          and taken_at < least(given.begins_at, given.judged_at)
        order by taken_at desc limit 1)) as kept`);
  const past = rows.map(({ at, ...row }) => ({ ...row, at: at.getTime() }));
  const newest = channels.flatMap(({ serviceId, channelId, state: { at, value } }) =>
    at === null || value === null ? [] : [{ serviceId, channelId, at, value }],
  );
  return gatherMoments(configs, [...past, ...newest]);
}

function gatherMoments(
  configs: ReadonlyMap<ServiceId, ServiceConfig>,
  readings: { serviceId: ServiceId; channelId: number; at: Instant; value: number }[],
): Map<ServiceId, Moment[]> {
  const byTime = new Map<ServiceId, Map<Instant, [string, number][]>>();
  for (const { serviceId, channelId, at, value } of readings.sort((one, other) => one.at - other.at)) {
    const name = configs.get(serviceId)?.channelsById.get(channelId)?.name;
    if (name === undefined) continue;
    const moments = byTime.get(serviceId) ?? new Map<Instant, [string, number][]>();
    byTime.set(serviceId, moments.set(at, [...(moments.get(at) ?? []), [name, value]]));
  }
  const inOrder = (moments: Map<Instant, [string, number][]>) =>
    [...moments].map(([at, values]) => ({ at, values }));
  return new Map([...byTime].map(([serviceId, moments]) => [serviceId, inOrder(moments)]));
}

const findLongestSustained = ({ limits }: ServiceConfig): number =>
  Math.max(0, ...[...limits.values()].flatMap(({ bands }) => bands.map(({ sustainedMs }) => sustainedMs)));
