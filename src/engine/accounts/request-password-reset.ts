import sql from 'sql-template-tag';
import { bucketOf } from '../../domain/accounts/address-bucket.ts';
import { normaliseEmail } from '../../domain/accounts/email.ts';
import { notSignedIn, type Requester } from '../../domain/accounts/requester.ts';
import type { AccountId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import { namedLock } from '../../platform/lock-keys.ts';
import { writeAudits } from '../audit/write-audit.ts';
import { lockAccount } from './accounts.ts';
import { queueAccountMail, queueAccountMails } from './queue-account-mail.ts';

const WINDOW_MS = 60 * 60 * 1000;
/** More would be a nuisance: the links of the first ones still work. */
const MOST_MAILS_PER_ACCOUNT = 3;
const MOST_REQUESTS_PER_ADDRESS = 20;

interface Throttled {
  reason: 'throttled';
  seconds: number;
}

/**
 * The answer is the same whether there is such an account or not, and so are the statements: the time they take does not tell
 * either. Who never set a password gets the mail to activate the account instead.
 */
export async function requestPasswordReset(
  tx: Tx,
  requester: Requester,
  { email }: { email: string },
  now: Date,
): Promise<Result<null, Throttled>> {
  const seconds = await countRequest(tx, bucketOf(requester.address ?? ''), now);
  if (seconds > 0) return refuse({ reason: 'throttled', seconds });
  const account = await lockAccount(tx, normaliseEmail(email));
  const mailed = await mayMail(tx, account?.id ?? NOBODY, now);
  const found = account?.isActive ? [{ id: account.id, hasPassword: account.passwordHash !== null }] : [];
  queueAccountMails(tx, mailed ? found.map(writeMail) : [], now);
  const records = found.map(({ id }) => ({
    action: 'account.request_password_reset' as const,
    detail: { account: id, mailed },
  }));
  writeAudits(tx, notSignedIn(requester), records, now);
  return ok(null);
}

/** Of no account. */
const NOBODY = 0 as AccountId;

interface MailedAccount {
  id: AccountId;
  hasPassword: boolean;
}

const writeMail = ({ id, hasPassword }: MailedAccount) => ({
  accountId: id,
  kind: hasPassword ? ('password_reset' as const) : ('activation' as const),
  authorName: null,
});

/** To the owner, who is asked for nothing else. False: enough of them are on their way. */
export async function mailNewPassword(tx: Tx, account: MailedAccount, now: Date): Promise<boolean> {
  if (!(await mayMail(tx, account.id, now))) return false;
  await queueAccountMail(tx, writeMail(account), now);
  return true;
}

/** Seconds to wait; 0: it was counted and may go on. Requests from one address are decided one after the other. */
async function countRequest(tx: Tx, address: string, now: Date): Promise<number> {
  await tx.query(sql`select pg_advisory_xact_lock(${namedLock('password reset', address)})`);
  const since = new Date(now.getTime() - WINDOW_MS);
  const oldest = first(
    await tx.query<{ at: Date }>(sql`
      select requested_at as "at" from password_reset_request
      where address = ${address} and requested_at > ${since}
      order by requested_at desc offset ${MOST_REQUESTS_PER_ADDRESS - 1} limit 1`),
  );
  if (oldest) return Math.ceil((oldest.at.getTime() - since.getTime()) / 1000);
  await tx.query(sql`
    insert into password_reset_request (address, requested_at) values (${address}, ${now})`);
  return 0;
}

async function mayMail(tx: Tx, id: AccountId, now: Date): Promise<boolean> {
  const mails = await tx.query(sql`
    select 1 from account_mail
    where account_id = ${id} and kind in ('activation', 'password_reset')
      and created_at > ${new Date(now.getTime() - WINDOW_MS)}
    limit ${MOST_MAILS_PER_ACCOUNT}`);
  return mails.length < MOST_MAILS_PER_ACCOUNT;
}
