// Drills on their way up the ladder: each step is a marked message to those it reaches at that moment, with the time at
// which it opened. Whoever acknowledges the drill ends it.
import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { climb, type DueRecipient } from '../../domain/notifications/climb.ts';
import { standAt } from '../../domain/notifications/ladder.ts';
import type { Reason } from '../../domain/notifications/reason.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { insertOpenedSteps } from './climbs.ts';
import { readLadder, toLadder } from './ladders.ts';
import { insertDeliveries } from './write-decisions.ts';

interface Begun {
  serviceId: ServiceId;
  groupId: number;
  episodeId: string;
  authorName: string;
}

/** With its first step, which leaves as the drill itself. */
export function beginClimb(tx: Tx, { isEmpty, ...drill }: Begun & { isEmpty: boolean }, now: Date): void {
  const { serviceId, groupId, episodeId, authorName } = drill;
  insertOpenedSteps(tx, [toRow(drill, { step: 0, at: now, reason: { code: isEmpty ? 'passed' : 'drill' } })]);
  tx.later(sql`
    insert into drill_climb (episode_id, service_id, group_id, author_name, started_at, look_again_at)
    values (${episodeId}, ${serviceId}, ${groupId}, ${authorName}, ${now}, ${now})`);
}

const toRow = (
  { serviceId, episodeId }: { serviceId: ServiceId; episodeId: string },
  step: { step: number; at: Date; reason: Reason },
) => ({ ...step, serviceId, episodeId, staleEventId: null, subject: 'critical' as const });

const MOST_AT_ONCE = 20;

export const climbDrills = (db: Database, now: Date): Promise<void> =>
  db.transaction(async (tx) => {
    for (const drill of await lockDue(tx, now)) await climbDrill(tx, drill, now);
  });

interface DueDrill extends Begun {
  organizationId: OrganizationId;
  startedAt: Date;
  isAcknowledged: boolean;
  opened: { step: number; at: string; reason: Reason }[];
}

const lockDue = (tx: Tx, now: Date) =>
  tx.query<DueDrill>(sql`
    select due.episode_id as "episodeId", due.service_id as "serviceId", group_id as "groupId",
      author_name as "authorName", due.started_at as "startedAt", service.organization_id as "organizationId",
      exists (select from drill where drill.episode_id = due.episode_id and acknowledged_at is not null) as "isAcknowledged",
      (select coalesce(json_agg(json_build_object('step', step, 'at', opened_at, 'reason', why)), '[]') from step_opened
        where step_opened.service_id = due.service_id and step_opened.episode_id = due.episode_id) as "opened"
    from drill_climb due join service on service.id = due.service_id
    where look_again_at <= ${now} order by look_again_at limit ${MOST_AT_ONCE} for update of due skip locked`);

async function climbDrill(tx: Tx, drill: DueDrill, now: Date): Promise<void> {
  const end = () => tx.later(sql`delete from drill_climb where episode_id = ${drill.episodeId}`);
  const row = drill.isAcknowledged ? null : await readLadder(tx, drill.groupId, now);
  const ladder = row && toLadder(row);
  if (!ladder) return end();
  const opened = drill.opened.map((one) => ({ ...one, at: new Date(one.at) }));
  // Whether it arrived is what the drill shows: it climbs as if nobody had heard.
  const { due, opens, lookAgainAt } = climb(
    {
      ladder: standAt(ladder, now),
      subject: 'critical',
      anchor: drill.startedAt,
      opened,
      heard: ASSUMED,
      failed: [],
    },
    now,
  );
  insertOpenedSteps(
    tx,
    opens.map((step) => toRow(drill, step)),
  );
  for (const { step } of opens)
    await tell(
      tx,
      drill,
      due.filter((one) => one.step === step),
      now,
    );
  const last = Math.max(...opened.map(({ step }) => step), ...opens.map(({ step }) => step));
  const isDone = !ladder.steps.some(({ step, subjects }) => step > last && subjects.includes('critical'));
  if (isDone || lookAgainAt === null) return end();
  tx.later(sql`update drill_climb set look_again_at = ${lookAgainAt} where episode_id = ${drill.episodeId}`);
}

/** No last resort: a drill does not page everybody who administers. */
const ASSUMED = [{ step: 0, at: new Date(0), hasArrived: true, isUnderWay: false, isRefused: false }];

async function tell(tx: Tx, drill: DueDrill, recipients: readonly DueRecipient[], now: Date): Promise<void> {
  if (recipients.length === 0) return;
  const { serviceId, groupId, organizationId, episodeId, authorName } = drill;
  const reason: Reason = { code: 'drill_step', step: recipients[0]?.step ?? 0 };
  const [written] = await tx.query<{ id: string }>(sql`
    insert into notification (service_id, organization_id, group_id, episode_id, subject, severity, mark, state, why,
      message, author_name, due_at, decided_at, created_at, since, happened_at)
    values (${serviceId}, ${organizationId}, ${groupId}, ${episodeId}, 'critical', 'critical', 'drill', 'released',
      ${JSON.stringify(reason)}::jsonb, ${`Alarm drill, started by ${authorName}. Nothing is wrong`}, ${authorName}, ${now}, ${now}, ${now},
      ${now}, ${now})
    returning id`);
  if (!written) throw new Error('The step of the drill was not written');
  insertDeliveries(
    tx,
    [{ id: written.id, serviceId, recipients: recipients.map(({ since: _, reason: __, ...one }) => one) }],
    now,
  );
}
