// How accounts want to be told. Whatever changes here changes whom alarms reach, so it leaves a note.

import sql from 'sql-template-tag';
import { withoutAccount } from '../../domain/accounts/requester.ts';
import type { AccountId, ContactMethodId } from '../../domain/ids.ts';
import type { MethodKind } from '../../domain/on-call/contact-method.ts';
import type { During } from '../../domain/on-call/lab-hours.ts';
import { type Database, first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { lookAgainAtAccount } from '../outbox/look-again.ts';
import { IS_IN_USE, IS_PHONE } from '../sql-parts/contact-methods.ts';
import type { LockedAccountId } from './lock-own-account.ts';
import { queueAccountMail } from './queue-account-mail.ts';

export interface OwnMethod {
  id: ContactMethodId;
  kind: MethodKind;
  address: string;
  secret: string | null;
  verifiedAt: Date | null;
  afterMinutes: number;
  onlyCritical: boolean;
  during: During;
  disabledReason: string | null;
  codeExpiresAt: Date | null;
  /** It is told, but not answered any more. */
  isClosed: boolean;
}

const MOST_WRONG_REPLIES = 5;

const IS_CLOSED = sql`reply_failures >= ${MOST_WRONG_REPLIES} as "isClosed"`;

const OWN_COLUMNS = sql`id, kind, address, secret, verified_at as "verifiedAt", after_minutes as "afterMinutes",
  only_critical as "onlyCritical", during, disabled_reason as "disabledReason", code_expires_at as "codeExpiresAt", ${IS_CLOSED}`;

export const selectMethods = (db: ReadDatabase, accountId: AccountId) =>
  db.query<OwnMethod>(sql`
    select ${OWN_COLUMNS} from contact_method where account_id = ${accountId} order by after_minutes, id`);

export const lockMethod = async (tx: Tx, accountId: AccountId, id: ContactMethodId) =>
  first(
    await tx.query<OwnMethod & { codeHash: Buffer | null; codeFailures: number }>(sql`
      select ${OWN_COLUMNS}, code_hash as "codeHash", code_failures as "codeFailures"
      from contact_method where account_id = ${accountId} and id = ${id} for update`),
  );

export interface MethodTimes {
  afterMinutes: number;
  onlyCritical: boolean;
  during: During;
}

/** null: the account has it already. */
export async function insertMethod(
  tx: Tx,
  accountId: LockedAccountId,
  method: { kind: MethodKind; address: string; secret: string | null; isVerified: boolean } & MethodTimes,
  now: Date,
): Promise<ContactMethodId | null> {
  const { kind, address, secret, isVerified, afterMinutes, onlyCritical, during } = method;
  const made = first(
    await tx.query<{ id: ContactMethodId }>(sql`
      insert into contact_method (account_id, kind, address, secret, verified_at, after_minutes, only_critical, during, created_at)
      values (${accountId}, ${kind}, ${address}, ${secret}, ${isVerified ? now : null}, ${afterMinutes}, ${onlyCritical},
        ${during}, ${now})
      on conflict (account_id, kind, address) do nothing returning id`),
  );
  if (made && isVerified) lookAgainAtAccount(tx, accountId, now);
  return made?.id ?? null;
}

export async function updateMethod(
  tx: Tx,
  accountId: AccountId,
  id: ContactMethodId,
  { afterMinutes, onlyCritical, during }: MethodTimes,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update contact_method set after_minutes = ${afterMinutes}, only_critical = ${onlyCritical}, during = ${during}
    where account_id = ${accountId} and id = ${id}`);
  lookAgainAtAccount(tx, accountId, now);
}

export async function deleteMethod(tx: Tx, accountId: AccountId, id: ContactMethodId, now: Date) {
  const [gone] = await tx.query<{ kind: MethodKind }>(sql`
    delete from contact_method where account_id = ${accountId} and id = ${id} returning kind`);
  if (gone) lookAgainAtAccount(tx, accountId, now);
  return gone ?? null;
}

const MOST_CODES = 5;
const WINDOW_MS = 60 * 60_000;

/** Whether one more code may be sent. */
export async function spendCode(tx: Tx, accountId: LockedAccountId, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - WINDOW_MS);
  const [sent] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from contact_code where account_id = ${accountId} and sent_at > ${since}`);
  if ((sent?.count ?? 0) >= MOST_CODES) return false;
  await tx.query(sql`insert into contact_code (account_id, sent_at) values (${accountId}, ${now})`);
  return true;
}

export const storeCode = (tx: Tx, id: ContactMethodId, codeHash: Buffer, expiresAt: Date) =>
  tx.query(sql`
    update contact_method set code_hash = ${codeHash}, code_expires_at = ${expiresAt}, code_failures = 0 where id = ${id}`);

export const countWrongCode = (tx: Tx, id: ContactMethodId) =>
  tx.query(sql`update contact_method set code_failures = code_failures + 1 where id = ${id}`);

export async function markProved(
  tx: Tx,
  accountId: AccountId,
  id: ContactMethodId,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update contact_method set verified_at = ${now}, code_hash = null, code_expires_at = null, disabled_at = null,
      disabled_reason = null, reply_failures = 0
    where id = ${id}`);
  lookAgainAtAccount(tx, accountId, now);
}

export interface Phone {
  id: number;
  accountId: number;
  kind: MethodKind;
  /** After too many wrong codes or PINs, until it is proved anew. */
  isClosed: boolean;
  /** null: its owner has none. */
  pinHash: string | null;
  /** In which its owner reads, and an organization of theirs. */
  languages: readonly (string | null)[];
}

const PHONE_COLUMNS = sql`id, account_id as "accountId", kind, ${IS_CLOSED},
  (select phone_pin_hash from account where account.id = account_id) as "pinHash",
  array[(select language from account where account.id = account_id), (
    select organization.language from membership join organization on organization.id = organization_id
    where membership.account_id = contact_method.account_id and organization.language is not null
    order by organization_id limit 1)] as "languages"`;

/** Who is told there; several people may share a number. */
export const findPhones = (tx: Tx, kind: MethodKind, address: string) =>
  tx.query<Phone>(sql`
    select ${PHONE_COLUMNS} from contact_method
    where address = ${address} and kind = ${kind} and ${IS_IN_USE}
    order by id for update`);

export const findPhone = async (tx: Tx, id: number) =>
  first(
    await tx.query<Phone>(sql`
      select ${PHONE_COLUMNS} from contact_method where id = ${id} and ${IS_IN_USE}`),
  );

/** The SMS and the calls of one person to one number: a PIN counts for both. */
const sameNumber = (id: number) => sql`
  ${IS_PHONE}
    and (account_id, address) = (select account_id, address from contact_method own where own.id = ${id})`;

declare const locked: unique symbol;

/** With all of its number: only `lockPhone` makes one. */
export interface LockedPhone extends Phone {
  readonly [locked]: true;
}

/** With all of its number, in one order. */
export const lockPhone = async (tx: Tx, id: number): Promise<LockedPhone | null> => {
  const phones = await tx.query<LockedPhone>(sql`
    select ${PHONE_COLUMNS} from contact_method
    where ${sameNumber(id)} and ${IS_IN_USE}
    order by id for update`);
  return phones.find((phone) => phone.id === id) ?? null;
};

/** Whether that was one too many. */
export const countWrongPin = async (tx: Tx, { id }: LockedPhone): Promise<boolean> => {
  const counted = await tx.query<Pick<Phone, 'id' | 'isClosed'>>(sql`
    update contact_method set reply_failures = reply_failures + 1 where ${sameNumber(id)}
    returning id, ${IS_CLOSED}`);
  return counted.find((phone) => phone.id === id)?.isClosed ?? true;
};

export const forgiveNumber = (tx: Tx, { id }: LockedPhone) =>
  tx.query(sql`update contact_method set reply_failures = 0 where ${sameNumber(id)} and reply_failures > 0`);

export const countWrongReply = (tx: Tx, ids: readonly number[]) =>
  tx.query(sql`update contact_method set reply_failures = reply_failures + 1 where id = any(${ids}::int[])`);

export const forgiveReplies = (tx: Tx, id: number) =>
  tx.query(sql`update contact_method set reply_failures = 0 where id = ${id} and reply_failures > 0`);

const DELIVERY = withoutAccount('delivery');

/** Its owner learns of it by mail; alarms go by the other methods, or by mail. */
export async function switchOffMethods(
  tx: Tx,
  ids: readonly number[],
  reason: string,
  now: Date,
): Promise<void> {
  const off = await tx.query<{ id: number; accountId: AccountId; kind: MethodKind }>(sql`
    update contact_method set disabled_at = ${now}, disabled_reason = ${reason}
    where id = any(${ids}::int[]) and disabled_at is null
    returning id, account_id as "accountId", kind`);
  // A browser that is gone never comes back by the same address.
  await tx.query(sql`delete from contact_method where id = any(${ids}::int[]) and kind = 'push'`);
  for (const { id, accountId, kind } of off) {
    lookAgainAtAccount(tx, accountId, now);
    await queueAccountMail(tx, { accountId, kind: 'contact_off', authorName: null }, now);
    const detail = { account: accountId, method: id, kind, reason };
    await writeAudit(tx, DELIVERY, { action: 'account.contact_off', detail }, now);
  }
}

/** Another address of the same browser, which only it knows. */
export const moveSubscription = async (
  tx: Tx,
  accountId: AccountId,
  { before, address, secret }: { before: string; address: string; secret: string },
) =>
  first(
    await tx.query<{ id: number }>(sql`
      update contact_method set address = ${address}, secret = ${secret}
      where account_id = ${accountId} and kind = 'push' and address = ${before}
        and not exists (select from contact_method other
          where other.account_id = ${accountId} and other.kind = 'push' and other.address = ${address}
            and other.address <> ${before})
      returning id`),
  ) !== null;

/** A browser tells one person: whoever subscribes with it last. */
export const releaseSubscription = (tx: Tx, accountId: AccountId, address: string) =>
  tx.query(sql`
    delete from contact_method where kind = 'push' and address = ${address} and account_id <> ${accountId}`);

/** What counts of codes ends with its window. */
export const forgetContactCodes = (db: Database, now: Date) =>
  db.query(sql`delete from contact_code where sent_at < ${new Date(now.getTime() - WINDOW_MS)}`);
