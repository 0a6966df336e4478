// Browsers on which somebody stays signed in. Each holds a secret; the database knows only its hash. It begins sessions of eight
// hours by itself, until it ends, is ended, or all that is signed in as its account is.
import { createHash, randomBytes } from 'node:crypto';
import sql, { type Sql } from 'sql-template-tag';
import { beforeDays, MOST_DEVICE_DAYS } from '../../domain/accounts/device-session.ts';
import type { AccountId, DeviceSessionId, SessionId } from '../../domain/ids.ts';
import { type Database, first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { LONGEST_USER_AGENT } from './sessions.ts';

/** Long and random, so a plain hash cannot be reversed and can be looked up by index. */
const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** For how many days somebody may stay signed in: as the strictest of their organizations says. */
const DAYS = sql`coalesce((select min(device_days) from membership join organization on organization.id = organization_id
  where membership.account_id = account.id), ${MOST_DEVICE_DAYS})::int`;

interface NewDevice {
  accountId: AccountId;
  sessionId: SessionId;
  address: string;
  userAgent: string | null;
}

export interface KeptDevice {
  secret: string;
  /** Unless it is used before. */
  days: number;
}

/** The session just proved who it is. null: an organization of the account forbids it. */
export async function beginDevice(
  tx: Tx,
  { accountId, sessionId, address, userAgent }: NewDevice,
  now: Date,
): Promise<KeptDevice | null> {
  const account = first(
    await tx.query<{ generation: number; days: number }>(
      sql`select token_generation as "generation", ${DAYS} as "days" from account where id = ${accountId}`,
    ),
  );
  if (!account || account.days === 0) return null;
  const secret = randomBytes(32).toString('base64url');
  const device = first(
    await tx.query<{ id: DeviceSessionId }>(sql`
      insert into device_session
        (account_id, generation, secret_hash, began_at, last_used_at, address, user_agent)
      values (${accountId}, ${account.generation}, ${hashSecret(secret)}, ${now}, ${now}, ${address},
        ${userAgent?.slice(0, LONGEST_USER_AGENT) ?? null})
      returning id`),
  );
  if (!device) throw new Error('The device was not kept');
  await tx.query(
    sql`update session set device_id = ${device.id}, proved_at = ${now} where id = ${sessionId}`,
  );
  await endOldest(tx, accountId);
  return { secret, days: account.days };
}

/** More than anybody uses; the one unused for longest makes room. */
const MOST_DEVICES = 20;

const endOldest = (tx: Tx, accountId: AccountId) =>
  tx.query(sql`
    delete from device_session where id in (
      select id from device_session where account_id = ${accountId}
      order by last_used_at desc, id desc offset ${MOST_DEVICES})`);

export interface FoundDevice {
  id: DeviceSessionId;
  account: { id: AccountId; name: string; generation: number };
  /** From now on. */
  days: number;
}

/** As strict as the organizations are by now. */
const livesOf = (now: Date): Sql => sql`
  last_used_at > ${now}::timestamptz - ${DAYS} * interval '24 hours'
  and is_active and token_generation = device_session.generation`;

/** Used again, it stays for as long as if it began now. */
export async function resumeDevice(
  tx: Tx,
  { secret, address }: { secret: string; address: string },
  now: Date,
): Promise<FoundDevice | null> {
  const found = first(
    await tx.query<{
      id: DeviceSessionId;
      accountId: AccountId;
      name: string;
      generation: number;
      days: number;
    }>(sql`
      select device_session.id, account.id as "accountId", name, token_generation as "generation", ${DAYS} as "days"
      from device_session join account on account.id = account_id
      where secret_hash = ${hashSecret(secret)} and ${livesOf(now)} for no key update of device_session`),
  );
  if (!found) return null;
  const { id, accountId, name, generation, days } = found;
  await tx.query(sql`
    update device_session set last_used_at = greatest(last_used_at, ${now}), address = ${address} where id = ${id}`);
  return { id, account: { id: accountId, name, generation }, days };
}

/** More at a time than a browser has: one that forgets its session with every request would fill the house with them. */
const MOST_SESSIONS = 20;

export async function tieToDevice(tx: Tx, sessionId: SessionId, deviceId: DeviceSessionId): Promise<void> {
  await tx.query(sql`update session set device_id = ${deviceId} where id = ${sessionId}`);
  await tx.query(sql`
    delete from session where id in (
      select id from session where device_id = ${deviceId} order by id desc offset ${MOST_SESSIONS})`);
}

/** The session has proved who it is: for a while it is not asked again. */
export const noteProved = (tx: Tx, sessionId: SessionId, now: Date) =>
  tx.query(sql`update session set proved_at = ${now} where id = ${sessionId}`);

export interface OwnDevice {
  id: DeviceSessionId;
  beganAt: Date;
  lastUsedAt: Date;
  /** Unless it is used before. */
  endsAt: Date;
  address: string;
  userAgent: string | null;
  /** Of the session that asks. */
  isThisOne: boolean;
}

export const selectDevices = (
  db: ReadDatabase,
  accountId: AccountId,
  sessionId: SessionId | null,
  now: Date,
) =>
  db.query<OwnDevice>(sql`
    select device_session.id, began_at as "beganAt", last_used_at as "lastUsedAt",
      last_used_at + ${DAYS} * interval '24 hours' as "endsAt", address,
      user_agent as "userAgent",
      exists (select from session where session.id = ${sessionId} and device_id = device_session.id) as "isThisOne"
    from device_session join account on account.id = account_id
    where account_id = ${accountId} and ${livesOf(now)} order by last_used_at desc, device_session.id desc`);

/** Only the account's own; sessions that it began end with it. */
export const endDevice = async (tx: Tx, accountId: AccountId, id: DeviceSessionId) =>
  first(
    await tx.query<{ userAgent: string | null; address: string }>(sql`
      delete from device_session where account_id = ${accountId} and id = ${id}
      returning user_agent as "userAgent", address`),
  );

/** Of a session that it began; null: it is no such session. */
export const selectDeviceOf = async (tx: Tx, accountId: AccountId, sessionId: SessionId) =>
  first(
    await tx.query<{ id: DeviceSessionId | null }>(
      sql`select device_id as "id" from session where id = ${sessionId} and account_id = ${accountId}`,
    ),
  )?.id ?? null;

export const endOtherDevices = (tx: Tx, accountId: AccountId, kept: SessionId | null) =>
  tx.query<{ id: DeviceSessionId }>(sql`
    delete from device_session where account_id = ${accountId}
      and id is distinct from (select device_id from session where id = ${kept} and account_id = ${accountId})
    returning id`);

/** Whoever signs in anew in a browser leaves what it kept before. */
export const endDeviceOfBrowser = (tx: Tx, secret: string) =>
  tx.query(sql`delete from device_session where secret_hash = ${hashSecret(secret)}`);

export const forgetDevices = (db: Database, now: Date) =>
  db.query(sql`
    delete from device_session using account
    where account.id = account_id and (last_used_at <= ${beforeDays(MOST_DEVICE_DAYS, now)}
      or token_generation <> device_session.generation)`);
