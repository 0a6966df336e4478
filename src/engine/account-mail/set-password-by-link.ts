import { isTooShort } from '../../domain/password.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { hashPassword } from '../../platform/auth/password.ts';
import type { Database } from '../../platform/db/database.ts';
import { setPassword } from '../accounts.ts';
import { findLinkedAccount, type LinkedAccount, type LinkPurpose, takeLink } from './account-links.ts';

export type LinkRefusal = 'link_not_valid' | 'password_too_short';

interface NewPassword {
  token: string;
  password: string;
  address: string;
  requestId: string;
}

/** Forgotten password and activation alike. All earlier tokens and links of the account are void afterwards. */
export async function setPasswordByLink(
  db: Database,
  purpose: LinkPurpose,
  { token, password, address, requestId }: NewPassword,
  now: Date,
): Promise<Result<LinkedAccount, LinkRefusal>> {
  // Hashing takes long: not for links that somebody made up, and not inside the transaction.
  if (!(await findLinkedAccount(db, purpose, token, now))) return refuse('link_not_valid');
  if (isTooShort(password)) return refuse('password_too_short');
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const account = await takeLink(tx, purpose, token, now);
    if (!account) return refuse('link_not_valid');
    const actor = { accountId: account.id, name: account.name, address, requestId };
    await setPassword(tx, actor, account.id, passwordHash, now);
    return ok(account);
  });
}
