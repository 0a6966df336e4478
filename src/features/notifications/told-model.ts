// What was told of a service, to whom and with what outcome, in words; and what was not told, and why.

import { canOperate, type Role } from '../../domain/accounts/role.ts';
import { english } from '../../domain/language/english.ts';
import { findOutcome, type Outcome, sayOutcome, timeOf } from '../../domain/notifications/outcome.ts';
import { sayReason } from '../../domain/notifications/reason.ts';
import { SUBJECTS } from '../../domain/notifications/subject.ts';
import { judgeOutcomes, type OutcomeVerdict } from '../../domain/notifications/verdict.ts';
import { sayToPeople } from '../../domain/words/alarm-message.ts';
import { nameMethod } from '../../engine/providers/providers.ts';
import { kindNamed } from '../../engine/transports/webhook/kinds.ts';
import { shortenAddress } from '../../engine/transports/webhook/shorten-address.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import {
  type Reader,
  type ShownText,
  type ShownTime,
  showText,
  showTime,
} from '../../platform/html/time.tsx';
import { type DeliveryRecord, type NotificationRecord, selectDeliveries } from './queries.ts';

export interface ToldModel {
  id: string;
  title: string;
  message: ShownText;
  at: ShownTime;
  /** What the policy decided, and its reason. */
  decision: ShownText;
  deliveries: DeliveryModel[];
  /** What it has shown, should it be a test or a drill. */
  verdict: OutcomeVerdict;
}

export interface DeliveryModel {
  recipient: string;
  outcome: Outcome;
  words: string;
  /** When it came about, or is tried again. */
  at: ShownTime | null;
}

const DECISIONS: Record<NotificationRecord['state'], string> = {
  waiting: 'Waiting',
  released: 'Told',
  held: 'Held back',
  dropped: 'Not told',
};

export type ToldReader = Reader & { role: Role };

export async function describeTold(
  db: ReadDatabase,
  notifications: NotificationRecord[],
  reader: ToldReader,
): Promise<ToldModel[]> {
  const records = await selectDeliveries(
    db,
    notifications.map(({ id }) => id),
  );
  return notifications.map((notification) => {
    const deliveries = records
      .filter(({ notificationId }) => notificationId === notification.id)
      .map((delivery) => describeDelivery(delivery, reader));
    const { id, message, state, reason, groupName, decidedAt, createdAt } = notification;
    const whom = state === 'released' && groupName !== null ? ` ${groupName}` : '';
    return {
      id,
      title: nameNotification(notification),
      message: showText(sayToPeople(message, notification.channel, notification.value, english), reader),
      at: showTime(decidedAt ?? createdAt, reader),
      decision: showText(`${DECISIONS[state]}${whom}: ${sayReason(reason)}`, reader),
      deliveries,
      verdict:
        state === 'waiting' ? { kind: 'under_way' } : judgeOutcomes(deliveries.map(({ outcome }) => outcome)),
    };
  });
}

function nameNotification({ subject, mark, isRepeat }: NotificationRecord): string {
  if (mark === 'test') return 'Test message';
  if (mark === 'drill') return 'Alarm drill';
  if (mark === 'hand_over') return 'Handed over';
  return isRepeat ? `${SUBJECTS[subject].name}, repeated` : SUBJECTS[subject].name;
}

export function describeDelivery(delivery: DeliveryRecord, reader: ToldReader): DeliveryModel {
  const outcome = findOutcome(delivery);
  const at = timeOf(outcome);
  return {
    recipient: nameWay(delivery, canOperate(reader.role)),
    words: sayOutcome(outcome, canOperate(reader.role)),
    outcome,
    at: at && showTime(at, reader),
  };
}

type NamedWay = Pick<
  DeliveryRecord,
  'transport' | 'recipient' | 'accountName' | 'via' | 'webhookKind' | 'webhookUrl'
>;

/** Viewers see who of their colleagues was told, but no addresses. */
export function nameWay(way: NamedWay, showsAddresses: boolean): string {
  const { transport, recipient, accountName, via, webhookKind, webhookUrl } = way;
  if (transport === 'webhook') {
    if (webhookKind === null || webhookUrl === null) return 'A webhook that was removed since';
    const label = `${kindNamed(webhookKind).label} webhook`;
    return showsAddresses ? `${label} at ${shortenAddress(webhookUrl)}` : label;
  }
  if (transport === 'method') {
    const label = via === null ? 'a contact method' : nameMethod(via);
    return `${accountName ?? 'Somebody'} by ${label}`;
  }
  if (accountName === null) return showsAddresses ? recipient : 'An email address';
  return showsAddresses ? `${accountName} (${recipient})` : accountName;
}
