// How delivery stands, in numbers for the health report.
import sql from 'sql-template-tag';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

export interface OutboxFigures {
  /** What should have left by now and has not, and since when. */
  overdue: number;
  oldestOverdueAt: Date | null;
  /** Messages to recipients that have not arrived, also those that wait for their next attempt. */
  undelivered: number;
  oldestUndeliveredAt: Date | null;
  /** Of these, those that were tried in vain three times or more. */
  failing: number;
  failedEmails: number;
  failedWebhooks: number;
  /** Mails to activate an account, or about its password. */
  failedAccountMails: number;
  disabledWebhooks: number;
  /** Mails of the last day that did not leave, for want of a mail server. */
  keptMails: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Failures of the last day. */
export async function selectOutboxFigures(db: ReadDatabase, now: Date): Promise<OutboxFigures> {
  const failedSince = new Date(now.getTime() - DAY_MS);
  const figures = first(
    await db.query<OutboxFigures>(sql`
      with overdue as (
        select due_at from notification where state = 'waiting' and due_at <= ${now}
        union all
        select look_again_at from notification_schedule where look_again_at <= ${now}
        union all
        select noted_at from look_again
        union all
        select created_at from delivery where state = 'queued' and letter_id is null
        union all
        select next_attempt_at from letter where state = 'queued' and next_attempt_at <= ${now}),
      undelivered as (
        select count(*)::int as count, min(created_at) as oldest, count(*) filter (where attempts >= 3)::int as failing
        from delivery where state = 'queued'),
      failed as (
        select count(*) filter (where transport = 'email')::int as emails,
          count(*) filter (where transport <> 'email')::int as webhooks
        from delivery
        -- What is given up was made a day before.
        where state = 'failed' and created_at >= ${new Date(failedSince.getTime() - DAY_MS)}
          and next_attempt_at >= ${failedSince})
      select (select count(*)::int from overdue) as "overdue", (select min(due_at) from overdue) as "oldestOverdueAt",
        undelivered.count as "undelivered", undelivered.oldest as "oldestUndeliveredAt", failing as "failing",
        failed.emails as "failedEmails", failed.webhooks as "failedWebhooks",
        (select count(*)::int from account_mail where state = 'failed' and finished_at >= ${failedSince})
          as "failedAccountMails",
        (select count(*)::int from notification_group_webhook where disabled_at is not null) as "disabledWebhooks",
        (select count(*)::int from kept_mail where created_at >= ${failedSince}) as "keptMails"
      from undelivered, failed`),
  );
  return figures as OutboxFigures;
}
