// What the service knows of itself, in one statement that costs by what waits and gives up soon.
import sql from 'sql-template-tag';
import {
  BEAT_LATE_MS,
  type EndFigures,
  type HostFigures,
  type WatchFigures,
} from '../../domain/self-watch.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';
import { findWorkersAway, HAS_CITUS } from '../nodes/nodes.ts';
import { IS_MAIL_NEEDED } from '../outbox/recipients.ts';
import { selectEnds } from './program-ends.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface Row
  extends Omit<WatchFigures, 'engine' | 'deliver' | 'lastDoneAt' | 'hosts' | 'workersAway' | 'ends'> {
  engineBeatAt: Date | null;
  engineAwakeSince: Date | null;
  deliverBeatAt: Date | null;
  deliverAwakeSince: Date | null;
  sweptAt: Date | null;
  decidedAt: Date | null;
  deliveredAt: Date | null;
  hosts: HostFigures[];
  hasWorkers: boolean;
  ends: (Omit<EndFigures, 'lastAt'> & { lastAt: string }) | null;
}

export async function readFigures(db: ReadDatabase, now: Date): Promise<WatchFigures> {
  const row = first(await db.query<Row>(selectFigures(now), 'briefly'));
  const {
    engineBeatAt,
    engineAwakeSince,
    deliverBeatAt,
    deliverAwakeSince,
    sweptAt,
    decidedAt,
    deliveredAt,
    hasWorkers,
    ends,
    ...figures
  } = row as Row;
  return {
    ...figures,
    engine: { lastBeatAt: engineBeatAt, awakeSince: engineAwakeSince },
    deliver: { lastBeatAt: deliverBeatAt, awakeSince: deliverAwakeSince },
    workersAway: hasWorkers ? await findWorkersAway(db) : [],
    ends: ends && { ...ends, lastAt: new Date(ends.lastAt) },
    lastDoneAt: { sweep: sweptAt, decide: decidedAt, deliver: deliveredAt },
  };
}

/** A row from the future, left by a program whose clock was ahead, must not pass for one that runs. */
function selectFigures(now: Date) {
  const [since, until] = [-BEAT_LATE_MS, BEAT_LATE_MS].map((ms) => new Date(now.getTime() + ms));
  return sql`
    with known as materialized (select * from program where beat_at <= ${until}),
    live as materialized (select * from known where beat_at >= ${since}),
    tried as materialized (
      select transport, created_at from letter where state = 'queued' and attempts > 0
      union all
      select 'email', created_at from account_mail where state = 'queued' and attempts > 0),
    arrived as (
      select (select max(finished_at) from letter where state = 'sent' and transport = 'webhook') as webhook_at,
        greatest(
          -- What was kept did not leave. So few, that a house without a mail server is not read whole every time.
          (select max(finished_at) from (
            select finished_at, is_kept from letter where state = 'sent' and transport = 'email'
            order by finished_at desc limit 100) as newest where is_kept is not true),
          (select max(finished_at) from account_mail where state = 'sent' and is_kept is not true)) as mail_at)
    select (select count(*)::int from live) as "programs",
      (select max(beat_at) from known where 'engine' = any(roles)) as "engineBeatAt",
      (select min(awake_since) from live where 'engine' = any(roles)) as "engineAwakeSince",
      (select max(beat_at) from known where 'deliver' = any(roles)) as "deliverBeatAt",
      (select min(awake_since) from live where 'deliver' = any(roles)) as "deliverAwakeSince",
      (select max(swept_at) from known) as "sweptAt",
      (select max(decided_at) from known) as "decidedAt",
      (select max(delivered_at) from known) as "deliveredAt",
      exists (select from alarm_state where next_due_at <= ${now}) as "isSweepDue",
      (select min(next_due_at) from alarm_state where next_due_at > '-infinity' and next_due_at <= ${now})
        as "oldestTimerAt",
      least(
        (select min(due_at) from notification where state = 'waiting' and due_at <= ${now}),
        (select min(look_again_at) from notification_schedule where look_again_at <= ${now}),
        (select min(noted_at) from look_again where noted_at <= ${now})) as "oldestDecisionAt",
      least(
        (select min(created_at) from delivery where state = 'queued' and letter_id is null),
        (select min(next_attempt_at) from letter where state = 'queued' and next_attempt_at <= ${now}),
        (select min(next_attempt_at) from account_mail where state = 'queued' and next_attempt_at <= ${now}
          and (leased_until is null or leased_until <= ${now}))) as "oldestMessageAt",
      (select min(created_at) from tried where transport = 'email') as "oldestTriedMailAt",
      (select min(created_at) from tried where transport = 'email' and created_at > coalesce(mail_at, '-infinity'))
        as "stuckMailAt",
      (select min(created_at) from tried
        where transport = 'webhook' and created_at > coalesce(greatest(mail_at, webhook_at), '-infinity'))
        as "stuckWebhookAt",
      (select min(opened_at) from step_opened opened join alarm_state
          on alarm_state.service_id = opened.service_id and alarm_state.episode_id = opened.episode_id
            and alarm_state.severity = opened.severity and opened.opened_at >= severity_since
        where step = 9
          and not exists (select from acknowledgement where acknowledgement.service_id = opened.service_id
            and acknowledgement.episode_id = opened.episode_id
            and created_at >= opened_at)
          and not exists (select from notification join delivery on notification_id = notification.id
            where notification.service_id = opened.service_id and notification.episode_id = opened.episode_id
              and mark is null and sent_at >= opened_at
              and not exists (select from letter where letter.id = letter_id and is_kept))) as "lastResortAt",
      case when (select bool_or(keeps_mail) from live) then ${IS_MAIL_NEEDED} else false end as "isMailKept",
      (select coalesce(json_agg(distinct host order by host), '[]') from live where unread_settings <> '{}')
        as "hostsWithoutKey",
      (select coalesce(json_agg(distinct host order by host), '[]') from live
        where packing_lost_at > ${new Date(now.getTime() - DAY_MS)}) as "hostsWithoutPacking",
      mail_at as "lastMailAt", webhook_at as "lastWebhookAt",
      (select coalesce(json_agg(item order by set_aside_at, item), '[]') from set_aside
        where set_aside_at <= ${now}) as "setAside",
      ${selectEnds(now)} as "ends",
      ${HAS_CITUS} as "hasWorkers",
      (select coalesce(json_agg(one), '[]') from (
        select host, (array_agg(clock_ahead_ms order by abs(clock_ahead_ms) desc nulls last))[1] as "clockAheadMs",
          case when min(disk_free_bytes) is not null then json_build_object('freeBytes', min(disk_free_bytes),
            'totalBytes', (array_agg(disk_total_bytes order by disk_free_bytes))[1]) end as "disk"
        from live group by host order by host) as one) as "hosts"
    from arrived`;
}
