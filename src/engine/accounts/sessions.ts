// Where an account is signed in. A session ends by being deleted, or with its generation of tokens.
import sql from 'sql-template-tag';
import type { AccountId, SessionId } from '../../domain/ids.ts';
import { TOKEN_LIFETIME_MS } from '../../platform/auth/token.ts';
import { type Database, first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

export interface NewSession {
  accountId: AccountId;
  generation: number;
  address: string;
  userAgent: string | null;
}

export interface OwnSession {
  id: SessionId;
  beganAt: Date;
  lastSeenAt: Date;
  address: string;
  userAgent: string | null;
}

export const LONGEST_USER_AGENT = 300;

export async function beginSession(tx: Tx, begun: NewSession, now: Date): Promise<SessionId> {
  const { accountId, generation, address, userAgent } = begun;
  const session = first(
    await tx.query<{ id: SessionId }>(sql`
      insert into session (account_id, generation, began_at, last_seen_at, address, user_agent)
      values (${accountId}, ${generation}, ${now}, ${now}, ${address}, ${userAgent?.slice(0, LONGEST_USER_AGENT) ?? null})
      returning id`),
  );
  if (!session) throw new Error('The session was not made');
  return session.id;
}

export const noteSeen = (db: ReadDatabase, id: SessionId, address: string, now: Date) =>
  db.query(sql`
    update session set last_seen_at = ${now}, address = ${address} where id = ${id} and last_seen_at < ${now}`);

/** Those whose token may still be used. */
const livesOf = (accountId: AccountId, now: Date) => sql`
  account_id = ${accountId} and began_at > ${new Date(now.getTime() - TOKEN_LIFETIME_MS)}
  and generation = (select token_generation from account where id = account_id)`;

const MOST_LISTED = 100;

export const selectSessions = (db: ReadDatabase, accountId: AccountId, now: Date) =>
  db.query<OwnSession>(sql`
    select id, began_at as "beganAt", last_seen_at as "lastSeenAt", address, user_agent as "userAgent"
    from session where ${livesOf(accountId, now)} order by last_seen_at desc, id desc limit ${MOST_LISTED}`);

/** Only the account's own. */
export const endSession = (tx: Tx, accountId: AccountId, id: SessionId, now: Date) =>
  tx.query<OwnSession>(sql`
    delete from session where ${livesOf(accountId, now)} and id = ${id}
    returning id, began_at as "beganAt", last_seen_at as "lastSeenAt", address, user_agent as "userAgent"`);

export const endOtherSessions = (tx: Tx, accountId: AccountId, kept: SessionId | null, now: Date) =>
  tx.query<{ id: SessionId }>(sql`
    delete from session where ${livesOf(accountId, now)} and id is distinct from ${kept} returning id`);

const FORGET_AFTER_MS = 7 * 24 * 60 * 60 * 1000;

/** Long after its token is of no use: a program whose clock is wrong by hours must not sign everybody out. */
export const forgetSessions = (db: Database, now: Date) =>
  db.query(sql`delete from session where began_at <= ${new Date(now.getTime() - FORGET_AFTER_MS)}`);
