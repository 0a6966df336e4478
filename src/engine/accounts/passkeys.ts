// Passkeys of accounts. What was asked of a device travels with the browser, sealed; that it was answered is kept here.
import sql from 'sql-template-tag';
import type { AccountId, PasskeyId } from '../../domain/ids.ts';
import type { NewPasskey } from '../../platform/auth/passkeys.ts';
import { type Database, first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

export interface OwnPasskey {
  id: PasskeyId;
  credentialId: string;
  host: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export const selectPasskeys = (db: ReadDatabase, accountId: AccountId) =>
  db.query<OwnPasskey>(sql`
    select id, credential_id as "credentialId", host, name, created_at as "createdAt", last_used_at as "lastUsedAt"
    from passkey where account_id = ${accountId} order by created_at, id`);

/** The passkey's id and host, or nothing where the device's is known already. */
export const insertPasskey = async (
  tx: Tx,
  accountId: AccountId,
  {
    credentialId,
    publicKey,
    signatures,
    transports,
    host,
    name,
  }: NewPasskey & { host: string; name: string },
  now: Date,
) =>
  first(
    await tx.query<{ id: PasskeyId }>(sql`
      insert into passkey (account_id, credential_id, public_key, signatures, transports, host, name, created_at)
      values (${accountId}, ${credentialId}, ${publicKey}, ${signatures}, ${transports}, ${host}, ${name}, ${now})
      on conflict (credential_id) do nothing returning id`),
  );

/** Only the account's own. */
export const deletePasskey = async (tx: Tx, accountId: AccountId, id: PasskeyId) =>
  first(
    await tx.query<{ name: string }>(sql`
      delete from passkey where account_id = ${accountId} and id = ${id} returning name`),
  );

export const deletePasskeys = (tx: Tx, accountId: AccountId) =>
  tx.query(sql`delete from passkey where account_id = ${accountId}`);

export interface SignInPasskey {
  id: PasskeyId;
  name: string;
  credentialId: string;
  publicKey: Buffer;
  signatures: number;
  account: { id: AccountId; name: string; isActive: boolean; generation: number };
}

/** With the account as it is when it is asked: if that changes meanwhile, the token is born revoked. */
export const findPasskey = async (db: ReadDatabase, credentialId: string) =>
  first(
    await db.query<SignInPasskey>(sql`
      select passkey.id, passkey.name, credential_id as "credentialId", public_key as "publicKey",
        signatures::float8 as "signatures", json_build_object('id', account.id, 'name', account.name,
          'isActive', is_active, 'generation', token_generation) as "account"
      from passkey join account on account.id = account_id where credential_id = ${credentialId}`),
  );

/** Refused where it has signed as often before, as of two that answer at the same moment. */
export const countSignature = async (tx: Tx, id: PasskeyId, signatures: number, now: Date) =>
  first(
    await tx.query<{ id: PasskeyId }>(sql`
      update passkey set signatures = ${signatures}, last_used_at = ${now}
      where id = ${id} and (signatures < ${signatures} or (signatures = 0 and ${signatures} = 0)) returning id`),
  ) !== null;

/** Whether this is the first answer to a challenge, whichever program asked. */
export const answerChallenge = async (tx: Tx, challenge: string, expiresAt: Date): Promise<boolean> =>
  first(
    await tx.query(sql`
      insert into answered_challenge (challenge, expires_at) values (${challenge}, ${expiresAt})
      on conflict do nothing returning challenge`),
  ) !== null;

const FORGET_AFTER_MS = 24 * 60 * 60 * 1000;

/** Long after it expired: clocks of programs differ. */
export const forgetAnsweredChallenges = (db: Database, now: Date) =>
  db.query(sql`
    delete from answered_challenge where expires_at < ${new Date(now.getTime() - FORGET_AFTER_MS)}`);
