// After new limits every channel is judged again at once, from the stored readings.
import sql from 'sql-template-tag';
import type { ServiceId } from '../domain/ids.ts';
import type { Instant, Moment } from '../domain/judge.ts';
import type { Tx } from '../platform/db/database.ts';
import { type AlarmRow, lockAlarmRows, watch } from './alarm-store.ts';
import { assessAgain } from './assess.ts';
import { writeAssessments } from './judge-services.ts';
import { loadServiceConfigs, type ServiceConfig } from './service-config.ts';
import type { WatchedService } from './watched-service.ts';

export async function reassess(tx: Tx, serviceIds: ServiceId[], now: Date): Promise<void> {
  const rows = await tx.query<AlarmRow>(lockAlarmRows(serviceIds));
  const byService = new Map(rows.map((row) => [row.serviceId, row]));
  const services = (await loadServiceConfigs(tx, serviceIds)).flatMap((config) => {
    const row = byService.get(config.serviceId);
    return row && !config.isArchived ? [watch(config, row)] : [];
  });
  const histories = await selectHistories(tx, services, now);
  const assessed = services.map((watched) =>
    assessAgain(watched, histories.get(watched.config.serviceId) ?? [], now.getTime()),
  );
  await writeAssessments(tx, assessed, now);
}

/**
 * The readings that decide what is active now: as far back as the longest sustained time, and the one before that. The
 * newest is the one judged last, which is not always the one with the latest time.
 */
async function selectHistories(
  tx: Tx,
  services: readonly WatchedService[],
  now: Date,
): Promise<Map<ServiceId, Moment[]>> {
  const judged = services.flatMap(({ config, channels }) =>
    [...channels].flatMap(([name, { at, value }]) =>
      at === null || value === null ? [] : [{ serviceId: config.serviceId, name, config, at, value }],
    ),
  );
  const wanted = judged.map(({ config, name, at, serviceId }) => ({
    serviceId,
    channelId: config.channels.get(name)?.id ?? 0,
    from: new Date(now.getTime() - findLongestSustained(config)),
    until: new Date(at),
  }));
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
  const configs = new Map(services.map(({ config }) => [config.serviceId, config]));
  const past = rows.flatMap(({ serviceId, channelId, at, value }) => {
    const name = configs.get(serviceId)?.channelsById.get(channelId)?.name;
    return name === undefined ? [] : [{ serviceId, name, at: at.getTime(), value }];
  });
  return gatherMoments([...past, ...judged]);
}

function gatherMoments(
  readings: { serviceId: ServiceId; name: string; at: Instant; value: number }[],
): Map<ServiceId, Moment[]> {
  const byTime = new Map<ServiceId, Map<Instant, [string, number][]>>();
  for (const { serviceId, name, at, value } of readings.sort((one, other) => one.at - other.at)) {
    const moments = byTime.get(serviceId) ?? new Map<Instant, [string, number][]>();
    byTime.set(serviceId, moments.set(at, [...(moments.get(at) ?? []), [name, value]]));
  }
  const inOrder = (moments: Map<Instant, [string, number][]>) =>
    [...moments].map(([at, values]) => ({ at, values }));
  return new Map([...byTime].map(([serviceId, moments]) => [serviceId, inOrder(moments)]));
}

const findLongestSustained = ({ limits }: ServiceConfig): number =>
  Math.max(0, ...[...limits.values()].flatMap(({ bands }) => bands.map(({ sustainedMs }) => sustainedMs)));
