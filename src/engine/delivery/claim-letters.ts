// A program takes letters that are due, for a while, and leaves out of them what is no longer true.
import sql, { type Sql } from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { Reason } from '../../domain/notifications/reason.ts';
import { canBeAcknowledged } from '../../domain/notifications/subject.ts';
import type { TransportName } from '../../domain/on-call/recipient.ts';
import type { Database } from '../../platform/db/database.ts';
import { handOn } from '../../platform/db/hand-on.ts';
import { ASK_UNTOUCHED, type Statement } from '../../platform/db/statement.ts';
import { keepUndecided } from '../outbox/decide.ts';
import { dropDeliveries, dropLetters, leaseLetters, type Room, renewLeases } from '../outbox/letters.ts';
import { askTruths, findUntruths } from '../outbox/recheck.ts';
import { askRecipients, type FoundRecipient, toRecipients } from './find-recipients.ts';

export interface ClaimedLetter {
  id: string;
  groupId: number;
  /** Whether its group has steps for when nobody acts. */
  hasSteps: boolean;
  lane: string;
  recipient: FoundRecipient;
  /** Attempts before this one. */
  attempts: number;
  createdAt: Date;
  claimedAt: Date;
  /** Tells this claim from a later one by another program. */
  leasedUntil: Date;
  deliveries: readonly ClaimedDelivery[];
}

interface ClaimedDelivery {
  id: string;
  notificationId: string;
  dueAt: Date;
  /** It says that something is wrong and still holds, and is tried for as long as it does. */
  isAlarm: boolean;
}

export interface Claim {
  letters: ClaimedLetter[];
  dropped: { transport: TransportName }[];
  /** Letters taken by lane, also those of which nothing was left. */
  taken: ReadonlyMap<string, number>;
}

/**
 * Two round trips, however many letters. What is dropped was not told: its service is looked at again, for it may stand
 * otherwise by now than it did when this was read.
 */
export const claimLetters = (db: Database, room: Room, leaseMs: number, now: Date): Promise<Claim> =>
  claimBy(db, (leasedUntil) => leaseLetters(room, leasedUntil, now), leaseMs, now);

/** What is held already, once more: what others took since, or what is no longer true, is not among the letters. */
export const claimAgain = (
  db: Database,
  letters: readonly ClaimedLetter[],
  leaseMs: number,
  now: Date,
): Promise<Claim> => claimBy(db, (leasedUntil) => renewLeases(letters, leasedUntil), leaseMs, now);

/** The letters that this transaction leased. */
const LEASED = handOn('tocsin.leased_letters', sql`bigint`);

const claimBy = (
  db: Database,
  lease: (leasedUntil: Date) => Sql,
  leaseMs: number,
  now: Date,
): Promise<Claim> =>
  db.transaction(async (tx) => {
    // Who took them and does not know it would keep them from everybody until the lease ends.
    tx.makeCertain();
    const leasedUntil = new Date(now.getTime() + leaseMs);
    tx.later(LEASED.keep(lease(leasedUntil)));
    tx.later(
      keepUndecided(
        sql`select service_id from delivery where letter_id = any(${LEASED.ids}) and state = 'queued'`,
      ),
    );
    const {
      letters: rows,
      look: [look],
      claimed,
      states,
      groups,
      ...reached
    } = await tx.queryAll({
      letters: selectLetters(),
      ...askTruths(sql`letter_id = any(${LEASED.ids}) and state = 'queued'`, now),
      ...askRecipients(LEASED.ids),
      look: ASK_UNTOUCHED,
    });
    if (look.isUntouched) tx.forgo();
    const recipients = toRecipients(reached);
    const untruths = findUntruths(claimed, states, groups, now);

    const rowsById = new Map(rows.map((row) => [row.id, row]));
    const dropped: DroppedDelivery[] = [];
    const kept = new Map<string, ClaimedDelivery[]>();
    for (const { id, letterId, notificationId, dueAt, serviceId, subject, mark } of claimed) {
      const unreached: Reason | null = recipients.has(letterId) ? null : { code: 'no_longer_reached' };
      const reason = untruths.get(id) ?? unreached;
      const { transport } = rowsById.get(letterId) as LetterRow;
      const isAlarm = mark === null && canBeAcknowledged(subject);
      const delivery = { id, notificationId, dueAt, isAlarm };
      if (reason !== null) dropped.push({ id, serviceId, reason, transport });
      else if (!kept.get(letterId)?.push(delivery)) kept.set(letterId, [delivery]);
    }
    const letters = rows.flatMap(({ address: _, transport: __, ...row }): ClaimedLetter[] => {
      const recipient = recipients.get(row.id);
      const rest = kept.get(row.id);
      return recipient && rest ? [{ ...row, recipient, deliveries: rest, claimedAt: now, leasedUntil }] : [];
    });
    if (dropped.length > 0) dropDeliveries(tx, dropped, now);
    const emptyIds = rows.map(({ id }) => id).filter((id) => !kept.has(id));
    if (emptyIds.length > 0) dropLetters(tx, emptyIds, now);
    return { letters, dropped, taken: countByLane(rows) };
  }, 'by_index');

function countByLane(rows: { lane: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { lane } of rows) counts.set(lane, (counts.get(lane) ?? 0) + 1);
  return counts;
}

interface LetterRow {
  id: string;
  groupId: number;
  hasSteps: boolean;
  transport: TransportName;
  address: string;
  lane: string;
  attempts: number;
  createdAt: Date;
}

/** In the order in which they were due. */
const selectLetters = (): Statement<LetterRow> => sql`
  select id, group_id as "groupId", transport, recipient as "address", lane, attempts, created_at as "createdAt",
    exists (select from notification_group_step step where step.group_id = letter.group_id) as "hasSteps"
  from letter where id = any(${LEASED.ids}) order by next_attempt_at, id`;

interface DroppedDelivery {
  id: string;
  serviceId: ServiceId | null;
  reason: Reason;
  transport: TransportName;
}
