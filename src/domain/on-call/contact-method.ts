// How a person is told. Without methods of their own it is the mail of the account, at once.
import { type During, isDuring, type LabHours } from './lab-hours.ts';
import type { Recipient } from './recipient.ts';

export const METHOD_KINDS = [
  'email',
  'sms',
  'voice',
  'push',
  'pushover',
  'telegram',
  'ntfy',
  'gotify',
  'signal',
] as const;
export type MethodKind = (typeof METHOD_KINDS)[number];

/** A verified one that is in use. */
export interface ContactMethod {
  id: number;
  accountId: number;
  kind: MethodKind;
  /** Of mail. */
  address: string;
  afterMinutes: number;
  onlyCritical: boolean;
  during: During;
}

export type MethodsOf = ReadonlyMap<number, readonly ContactMethod[]>;

/**
 * The ways to a recipient at one moment. Mail steps in where a person's own methods leave something out: nobody becomes
 * unreachable by their own settings.
 */
export function findWays(
  recipient: Recipient,
  methodsOf: MethodsOf,
  hours: LabHours | null,
  at: Date,
): Recipient[] {
  const methods = methodsOf.get(recipient.accountId ?? -1) ?? [];
  const present = methods.filter(({ during }) => isDuring(during, hours, at));
  if (present.length === 0) return [recipient];
  const ways = present.map((method) => toRecipient(method, recipient));
  return present.some(({ onlyCritical }) => !onlyCritical)
    ? ways
    : [...ways, { ...recipient, only: 'others' }];
}

export const toRecipient = (
  { id, kind, address, afterMinutes, onlyCritical }: ContactMethod,
  { accountId, accountName }: Recipient,
): Recipient => ({
  ...(kind === 'email'
    ? { transport: 'email' as const, recipient: address }
    : { transport: 'method' as const, recipient: String(id) }),
  ...(accountId === undefined ? {} : { accountId }),
  ...(accountName === undefined ? {} : { accountName }),
  via: kind,
  ...(afterMinutes > 0 ? { afterMinutes } : {}),
  ...(onlyCritical ? { only: 'critical' as const } : {}),
});

/** Whether a way is meant for what happened. */
export const isFor = ({ only }: Pick<Recipient, 'only'>, subject: string): boolean =>
  only === undefined || (only === 'critical') === (subject === 'critical');
