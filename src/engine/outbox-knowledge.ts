// What people were told already, and what waits to be told.
import sql, { type Sql } from 'sql-template-tag';
import type { ServiceId } from '../domain/ids.ts';
import {
  type Knowledge,
  nameRecipient,
  type Recipient,
  type Subject,
  type Waiting,
} from '../domain/telling/situation.ts';
import type { Tx } from '../platform/db/database.ts';
import { selectRecipients, type ToldService } from './outbox-situation.ts';

interface ToldRow extends Recipient {
  serviceId: ServiceId;
  /** Of the episode or the silence. */
  topicId: string;
  isClosed: boolean;
  groupId: number;
  kind: 'critical' | 'warning' | 'recovery' | 'system';
  severity: 'critical' | 'warning' | 'stale' | 'normal';
  at: Date;
}

const NOTHING: Knowledge = {
  alarm: { episodeId: null, isClosed: false, told: [] },
  silence: { id: null, isClosed: false, told: [] },
};

export async function loadKnowledge(
  tx: Tx,
  services: readonly ToldService[],
): Promise<Map<ServiceId, Knowledge>> {
  const alarms = await selectToldAlarms(
    tx,
    listTopics(services, ({ situation, toldEpisodeId }) => situation.episodeId ?? toldEpisodeId),
  );
  const silences = await selectToldSilences(
    tx,
    listTopics(services, ({ situation, toldSilenceId }) => situation.silence?.id ?? toldSilenceId),
  );
  const groups = await selectRecipients(
    tx,
    [...alarms, ...silences].map(({ groupId }) => groupId),
  );
  const names = new Map([...groups].map(([id, members]) => [id, new Set(members.map(nameRecipient))]));
  const isReached = (row: ToldRow) => names.get(row.groupId)?.has(nameRecipient(row)) ?? false;

  const knowledge = new Map(services.map(({ serviceId }) => [serviceId, NOTHING]));
  const known = (id: ServiceId) => knowledge.get(id) ?? NOTHING;
  for (const [serviceId, rows] of groupByService(alarms)) {
    const [{ topicId, isClosed }] = rows;
    const told = rows.filter(isReached).map((row) => ({
      ...row,
      severity: row.kind === 'critical' || row.kind === 'warning' ? row.kind : ('normal' as const),
    }));
    knowledge.set(serviceId, { ...known(serviceId), alarm: { episodeId: topicId, isClosed, told } });
  }
  for (const [serviceId, rows] of groupByService(silences)) {
    const [{ topicId, isClosed }] = rows;
    const told = rows.filter(isReached).map((row) => ({ ...row, isSilent: row.severity === 'stale' }));
    knowledge.set(serviceId, { ...known(serviceId), silence: { id: topicId, isClosed, told } });
  }
  return knowledge;
}

function groupByService(rows: ToldRow[]): Map<ServiceId, [ToldRow, ...ToldRow[]]> {
  const services = new Map<ServiceId, [ToldRow, ...ToldRow[]]>();
  for (const row of rows) {
    const earlier = services.get(row.serviceId);
    if (earlier) earlier.push(row);
    else services.set(row.serviceId, [row]);
  }
  return services;
}

interface Topic {
  serviceId: ServiceId;
  id: string;
}

/** What runs, or else the last that anybody was told of. */
const listTopics = (
  services: readonly ToldService[],
  nameTopic: (service: ToldService) => string | null,
): Topic[] =>
  services.flatMap((service) => {
    const id = nameTopic(service);
    return id === null ? [] : [{ serviceId: service.serviceId, id }];
  });

/** The last word to each recipient on an episode. */
const selectToldAlarms = (tx: Tx, topics: readonly Topic[]) =>
  selectLastWords(
    tx,
    topics,
    sql`episode_id = topic.id and mark is null and kind in ('critical', 'warning', 'recovery')`,
    sql`episode_id = topic.id and kind = 'recovery'`,
  );

/** The last word to each recipient on a silence. */
const selectToldSilences = (tx: Tx, topics: readonly Topic[]) =>
  selectLastWords(tx, topics, sql`silence_id = topic.id`, sql`silence_id = topic.id and severity <> 'stale'`);

/**
 * Topic by topic: left to itself (without `offset 0`), the planner may begin with all deliveries there are. `ends`: which
 * of the dropped ones close the topic.
 */
const selectLastWords = (tx: Tx, topics: readonly Topic[], isAbout: Sql, ends: Sql) =>
  tx.query<ToldRow>(sql`
    select distinct on (topic.service_id, transport, recipient) topic.service_id as "serviceId", topic.id as "topicId",
      exists (select from notification where service_id = topic.service_id and ${ends} and state = 'dropped')
        as "isClosed",
      group_id as "groupId", transport, recipient, kind, severity, decided_at as "at"
    from unnest(${topics.map(({ serviceId }) => serviceId)}::int[], ${topics.map(({ id }) => id)}::bigint[])
      as topic (service_id, id)
    cross join lateral (
      select id, group_id, kind, severity, decided_at from notification
      where service_id = topic.service_id and ${isAbout} and state = 'released' offset 0) said
    cross join lateral (
      select transport, recipient from delivery
      where notification_id = said.id and state <> 'dropped' offset 0) heard
    order by topic.service_id, transport, recipient, said.id desc`);

/** What happened and waits, with its facts. */
export interface WaitingRow extends Waiting {
  serviceId: ServiceId;
  kind: Subject | 'system';
  happenedAt: Date;
  channel: string | null;
  label: string | null;
  unit: string | null;
  value: number | null;
}

/** By service, oldest first. */
export async function loadWaiting(
  tx: Tx,
  serviceIds: readonly ServiceId[],
): Promise<Map<ServiceId, WaitingRow[]>> {
  const rows = await tx.query<Omit<WaitingRow, 'subject'>>(sql`
    select notification.id, notification.service_id as "serviceId", notification.kind, episode_id as "episodeId", severity,
      happened_at as "happenedAt", notification.channel, channel.label, channel.unit, value
    from notification
    left join channel on channel.service_id = notification.service_id and channel.name = notification.channel
    where notification.service_id = any(${serviceIds}::int[]) and state = 'waiting'
    order by notification.id`);
  const services = new Map<ServiceId, WaitingRow[]>(serviceIds.map((id) => [id, []]));
  for (const row of rows) services.get(row.serviceId)?.push({ ...row, subject: nameSubject(row) });
  return services;
}

export const nameSubject = ({ kind, severity }: Pick<WaitingRow, 'kind' | 'severity'>): Subject =>
  kind === 'system' ? (severity === 'stale' ? 'silence' : 'return') : kind;
