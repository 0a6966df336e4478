// Drills on their way: each look tells whom the decision names, by a marked message. Whoever acknowledges the drill ends it.
import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { ToldRecipient } from '../../domain/notifications/answer.ts';
import { type DrillSoFar, decideDrill } from '../../domain/notifications/drill.ts';
import type { Reason } from '../../domain/notifications/reason.ts';
import type { Group } from '../../domain/notifications/situation.ts';
import type { TransportName } from '../../domain/on-call/recipient.ts';
import { describeDrill } from '../../domain/words/note-words.ts';
import { type Database, first, type Tx } from '../../platform/db/database.ts';
import { eachAlone } from '../../platform/process/each-alone.ts';
import { insertOpenedSteps } from './climbs.ts';
import { readLadder, toLadder } from './ladders.ts';
import { insertDeliveries } from './write-decisions.ts';

export interface RunningDrill {
  serviceId: ServiceId;
  organizationId: OrganizationId;
  groupId: number;
  episodeId: string;
  authorName: string;
}

/** Answers with the notifications that were written, and when to look again; null: it is over. */
export async function lookAtDrill(
  tx: Tx,
  drill: RunningDrill,
  group: Group,
  soFar: DrillSoFar,
  now: Date,
): Promise<{ notificationIds: string[]; lookAgainAt: Date | null }> {
  const { serviceId, episodeId } = drill;
  const { told, opens, lookAgainAt } = decideDrill(group, soFar, now);
  insertOpenedSteps(
    tx,
    opens.map((step) => ({ ...step, serviceId, episodeId, staleEventId: null, subject: 'critical' })),
  );
  const notificationIds: string[] = [];
  for (const { step, recipients } of told)
    notificationIds.push(await writeDrill(tx, drill, { step, recipients }, now));
  return { notificationIds, lookAgainAt };
}

/** Also without anybody in it: a drill begins with one. */
export async function writeDrill(
  tx: Tx,
  { serviceId, organizationId, groupId, episodeId, authorName }: RunningDrill,
  { step, recipients }: { step: number; recipients: readonly ToldRecipient[] },
  now: Date,
): Promise<string> {
  const reason: Reason = step === 0 ? { code: 'drill' } : { code: 'drill_step', step };
  const [written] = await tx.query<{ id: string }>(sql`
    insert into notification (service_id, organization_id, group_id, episode_id, subject, severity, mark, state, why,
      message, author_name, due_at, decided_at, created_at, since, happened_at)
    values (${serviceId}, ${organizationId}, ${groupId}, ${episodeId}, 'critical', 'critical', 'drill', 'released',
      ${JSON.stringify(reason)}::jsonb, ${describeDrill(authorName)}, ${authorName},
      ${now}, ${now}, ${now}, ${now}, ${now})
    returning id`);
  if (!written) throw new Error('The drill was not written');
  insertDeliveries(tx, [{ id: written.id, serviceId, recipients }], now);
  return written.id;
}

const MOST_AT_ONCE = 20;

export async function climbDrills(db: Database, now: Date): Promise<void> {
  const due = await db.query<{ episodeId: string }>(sql`
    select episode_id as "episodeId" from drill_climb where look_again_at <= ${now}
    order by look_again_at limit ${MOST_AT_ONCE}`);
  await eachAlone(
    due,
    ({ episodeId }) => `drill ${episodeId}`,
    ({ episodeId }) =>
      db.transaction(async (tx) => {
        const drill = await lockDue(tx, episodeId, now);
        if (drill) await climbDrill(tx, drill, now);
      }),
  );
}

interface DueDrill extends RunningDrill {
  startedAt: Date;
  isAcknowledged: boolean;
  opened: { step: number; at: string; reason: Reason }[];
  told: { transport: TransportName; recipient: string; step: number; at: string }[];
}

/** null: somebody else has it, or had. */
const lockDue = async (tx: Tx, episodeId: string, now: Date) =>
  first(
    await tx.query<DueDrill>(sql`
    select due.episode_id as "episodeId", due.service_id as "serviceId", group_id as "groupId",
      author_name as "authorName", due.started_at as "startedAt", service.organization_id as "organizationId",
      exists (select from drill where drill.episode_id = due.episode_id and acknowledged_at is not null) as "isAcknowledged",
      (select coalesce(json_agg(json_build_object('step', step, 'at', opened_at, 'reason', why)), '[]') from step_opened
        where step_opened.service_id = due.service_id and step_opened.episode_id = due.episode_id) as "opened",
      (select coalesce(json_agg(json_build_object('transport', transport, 'recipient', recipient, 'step', step,
          'at', decided_at) order by delivery.id), '[]')
        from notification said join delivery on notification_id = said.id
        where said.service_id = due.service_id and said.episode_id = due.episode_id and mark = 'drill') as "told"
    from drill_climb due join service on service.id = due.service_id
    where look_again_at <= ${now} and due.episode_id = ${episodeId} for update of due skip locked`),
  );

async function climbDrill(tx: Tx, drill: DueDrill, now: Date): Promise<void> {
  const { episodeId, startedAt } = drill;
  const row = drill.isAcknowledged ? null : await readLadder(tx, drill.groupId, now);
  const look = row && {
    group: { id: row.id, name: row.name, ladder: toLadder(row) },
    soFar: { episodeId, startedAt, opened: drill.opened.map(readAt), told: drill.told.map(readAt) },
  };
  const lookAgainAt = look && (await lookAtDrill(tx, drill, look.group, look.soFar, now)).lookAgainAt;
  tx.later(
    lookAgainAt
      ? sql`update drill_climb set look_again_at = ${lookAgainAt} where episode_id = ${episodeId}`
      : sql`delete from drill_climb where episode_id = ${episodeId}`,
  );
}

const readAt = <Row extends { at: string }>(row: Row) => ({ ...row, at: new Date(row.at) });
