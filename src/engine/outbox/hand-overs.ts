// Alarms that whoever has them offers to somebody else: stored, and told to that one person by all their ways.
import sql from 'sql-template-tag';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { AlarmSeverity } from '../../domain/notifications/subject.ts';
import type { Recipient } from '../../domain/on-call/recipient.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import type { LockedService } from '../journal/lock-alarm-states.ts';
import { IS_IN_USE } from '../sql-parts/contact-methods.ts';
import { insertDeliveries, insertLinks } from './write-decisions.ts';

export interface Offer {
  id: string;
  serviceId: ServiceId;
  organizationId: OrganizationId;
  episodeId: string;
  severity: AlarmSeverity;
  fromId: AccountId;
  fromName: string;
  toId: AccountId;
  toName: string;
  offeredAt: Date;
}

const OFFER = sql`
  offer.id, offer.service_id as "serviceId", state.organization_id as "organizationId", offer.episode_id as "episodeId",
  state.severity, from_id as "fromId", from_name as "fromName", to_id as "toId", to_name as "toName", offered_at as "offeredAt"`;

/** While the alarm goes on and whoever offers it has it. */
const OPEN_OFFERS = sql`
  hand_over offer join alarm_state state on state.service_id = offer.service_id and state.episode_id = offer.episode_id
    and state.severity <> 'normal' and offer.ended_at is null
    and exists (select from acknowledgement
      where acknowledgement.service_id = offer.service_id and account_id = from_id and acknowledgement.ended_at is null)`;

/** null: nobody offers it. */
export const selectOffer = async (db: ReadDatabase, serviceId: ServiceId): Promise<Offer | null> =>
  first(
    await db.query<Offer>(sql`select ${OFFER} from ${OPEN_OFFERS} where offer.service_id = ${serviceId}`),
  );

/** The services whose alarms are offered to somebody. */
export const selectOfferedTo = async (db: ReadDatabase, accountId: AccountId): Promise<ServiceId[]> =>
  (
    await db.query<{ serviceId: ServiceId }>(sql`
      select offer.service_id as "serviceId" from ${OPEN_OFFERS} where to_id = ${accountId}`)
  ).map(({ serviceId }) => serviceId);

/** Those that nobody took in time, and of which nobody has heard that yet. */
export const selectOverdue = (db: ReadDatabase, before: Date) =>
  db.query<Offer>(sql`
    select ${OFFER} from ${OPEN_OFFERS}
    where offered_at <= ${before} and overdue_told_at is null order by offered_at limit 100`);

/** Whether this was the first to say so. */
export const noteOverdue = async (
  tx: Tx,
  serviceId: LockedService,
  { id }: Offer,
  now: Date,
): Promise<boolean> =>
  (
    await tx.query(sql`
      update hand_over set overdue_told_at = ${now}
      where service_id = ${serviceId} and id = ${id} and overdue_told_at is null and ended_at is null returning id`)
  ).length > 0;

export const endOffer = (
  tx: Tx,
  serviceId: LockedService,
  { id }: Offer,
  reason: 'accepted' | 'withdrawn',
  now: Date,
): void =>
  tx.later(sql`
    update hand_over set ended_at = ${now}, end_reason = ${reason}
    where service_id = ${serviceId} and id = ${id} and ended_at is null`);

/** Of one alarm, taken or not. */
export async function countOffers(
  tx: Tx,
  { serviceId, episodeId, since }: { serviceId: ServiceId; episodeId: string; since: Date },
): Promise<number> {
  const [offers] = await tx.query<{ count: number }>(sql`
    select count(*)::int as "count" from hand_over
    where service_id = ${serviceId} and episode_id = ${episodeId} and offered_at > ${since}`);
  return offers?.count ?? 0;
}

interface NewOffer {
  serviceId: LockedService;
  episodeId: string;
  severity: AlarmSeverity;
  from: { accountId: AccountId; name: string };
  to: { accountId: AccountId; name: string };
}

/** In the place of one that is open. */
export async function insertOffer(
  tx: Tx,
  { serviceId, episodeId, severity, from, to }: NewOffer,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update hand_over set ended_at = ${now}, end_reason = 'withdrawn'
    where service_id = ${serviceId} and ended_at is null`);
  tx.later(sql`
    insert into hand_over (service_id, episode_id, severity, from_id, from_name, to_id, to_name, offered_at)
    values (${serviceId}, ${episodeId}, ${severity}, ${from.accountId}, ${from.name}, ${to.accountId}, ${to.name}, ${now})`);
}

interface ToldAlone {
  serviceId: ServiceId;
  episodeId: string;
  accountId: AccountId;
  /** Said before how the alarm stands. */
  message: string;
  authorName: string;
}

/** Mail and every contact method at once, whatever their hours: nobody else is told. false: no group's letters to go by. */
export async function tellAlone(
  tx: Tx,
  { serviceId, episodeId, accountId, message, authorName }: ToldAlone,
  now: Date,
): Promise<boolean> {
  const recipients = (await selectWays(tx, accountId)).map((one) => ({ ...one, step: 0 }));
  const told = first(
    await tx.query<{ id: string; subject: AlarmSeverity }>(sql`
      insert into notification (service_id, organization_id, group_id, episode_id, subject, severity, mark, state, why,
        message, author_name, due_at, decided_at, created_at, since, happened_at, channel, value, limit_value)
      select state.service_id, state.organization_id, notification_group_id, state.episode_id, state.severity,
        state.severity, 'hand_over', 'released', '{"code": "handed_over"}'::jsonb, ${message}, ${authorName}, ${now}, ${now}, ${now},
        severity_since, ${now}, channel, value, limit_value
      from alarm_state state join service_settings using (service_id)
      where state.service_id = ${serviceId} and episode_id = ${episodeId} and notification_group_id is not null
      returning id, subject`),
  );
  if (!told || recipients.length === 0) return false;
  insertDeliveries(tx, [{ id: told.id, serviceId, recipients }], now);
  insertLinks(tx, [{ serviceId, content: { subject: told.subject, episodeId } }], now);
  tx.announce();
  return true;
}

const selectWays = (tx: Tx, accountId: AccountId) =>
  tx.query<Recipient>(sql`
    select 'email' as transport, email as recipient, id as "accountId", name as "accountName", null as via
    from account where id = ${accountId} and is_active
    union
    select case kind when 'email' then 'email' else 'method' end,
      case kind when 'email' then address else contact_method.id::text end, account.id, account.name,
      case kind when 'email' then null else kind end
    from contact_method join account on account.id = account_id
    where account_id = ${accountId} and is_active and ${IS_IN_USE}`);
