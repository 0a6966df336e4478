// What was told of a service, to whom and with what outcome, in words; and what was not told, and why.

import { canOperate, type Role } from '../../domain/accounts/role.ts';
import { message } from '../../domain/language/message.ts';
import { sayOne } from '../../domain/language/sayable.ts';
import type { Language } from '../../domain/language/speak.ts';
import { findOutcome, type Outcome, sayOutcome, timeOf } from '../../domain/notifications/outcome.ts';
import { sayReason } from '../../domain/notifications/reason.ts';
import { SUBJECTS } from '../../domain/notifications/subject.ts';
import { judgeOutcomes, type OutcomeVerdict } from '../../domain/notifications/verdict.ts';
import { sayToPeople } from '../../domain/words/alarm-message.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import {
  type Reader,
  type ShownText,
  type ShownTime,
  showText,
  showTime,
} from '../../platform/html/time.tsx';
import { nameMethod } from '../providers/providers.ts';
import { kindNamed } from '../transports/webhook/kinds.ts';
import { shortenAddress } from '../transports/webhook/shorten-address.ts';
import { type DeliveryRecord, type NotificationRecord, selectDeliveries } from './told-records.ts';

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

const DECISIONS = {
  waiting: message('Waiting: {reason}'),
  released: message('Notified: {reason}'),
  held: message('Held back: {reason}'),
  dropped: message('Not notified: {reason}'),
} as const satisfies Record<NotificationRecord['state'], string>;

export type ToldReader = Reader & { role: Role };

export async function describeTold(
  db: ReadDatabase,
  notifications: NotificationRecord[],
  reader: ToldReader,
): Promise<ToldModel[]> {
  const { language } = reader;
  const records = await selectDeliveries(
    db,
    notifications.map(({ id }) => id),
  );
  return notifications.map((notification) => {
    const deliveries = records
      .filter(({ notificationId }) => notificationId === notification.id)
      .map((delivery) => describeDelivery(delivery, reader));
    const { id, message, state, reason, groupName, decidedAt, createdAt } = notification;
    return {
      id,
      title: nameNotification(notification, language),
      message: showText(sayToPeople(message, notification.channel, notification.value, language), reader),
      at: showTime(decidedAt ?? createdAt, reader),
      decision: showText(
        state === 'released' && groupName !== null
          ? language.say('Notified {groupName}: {reason}', { groupName, reason: sayReason(reason, language) })
          : language.say(DECISIONS[state], { reason: sayReason(reason, language) }),
        reader,
      ),
      deliveries,
      verdict:
        state === 'waiting'
          ? { kind: 'under_way' }
          : judgeOutcomes(
              deliveries.map(({ outcome }) => outcome),
              language,
            ),
    };
  });
}

function nameNotification({ subject, mark, isRepeat }: NotificationRecord, { say }: Language): string {
  if (mark === 'test') return say('Test message');
  if (mark === 'drill') return say('Alarm drill');
  if (mark === 'hand_over') return say('Handed over');
  const name = say(SUBJECTS[subject].name);
  return isRepeat ? say('{name}, repeated', { name }) : name;
}

export function describeDelivery(delivery: DeliveryRecord, reader: ToldReader): DeliveryModel {
  const outcome = findOutcome(delivery);
  const at = timeOf(outcome);
  return {
    recipient: nameWay(delivery, canOperate(reader.role), reader.language),
    words: sayOutcome(outcome, canOperate(reader.role), reader.language),
    outcome,
    at: at && showTime(at, reader),
  };
}

type NamedWay = Pick<
  DeliveryRecord,
  'transport' | 'recipient' | 'accountName' | 'via' | 'webhookKind' | 'webhookUrl'
>;

/** Viewers see who of their colleagues was told, but no addresses. */
export function nameWay(way: NamedWay, showsAddresses: boolean, language: Language): string {
  const { say } = language;
  const { transport, recipient, accountName, via, webhookKind, webhookUrl } = way;
  if (transport === 'webhook') {
    if (webhookKind === null || webhookUrl === null) return say('A webhook that was removed since');
    const label = sayOne(kindNamed(webhookKind).label, language);
    return showsAddresses
      ? say('{label} webhook at {address}', { label, address: shortenAddress(webhookUrl) })
      : say('{label} webhook', { label });
  }
  if (transport === 'method') {
    const person = accountName ?? say('Somebody');
    return say('{person} by {method}', {
      person,
      method: via === null ? say('a contact method') : nameMethod(via, language),
    });
  }
  if (accountName === null) return showsAddresses ? recipient : say('An email address');
  return showsAddresses ? `${accountName} (${recipient})` : accountName;
}
