import type { PasswordFault } from '../../domain/accounts/password.ts';
import { provedToBe, type Requester } from '../../domain/accounts/requester.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { hashPassword } from '../../platform/auth/password.ts';
import type { Database } from '../../platform/db/database.ts';
import { acceptPassword } from './accept-password.ts';
import { findLinkedAccount, type LinkedAccount, type LinkPurpose, takeLink } from './account-links.ts';
import { setPassword } from './accounts.ts';
import { acceptInvitation } from './invitations.ts';

export type LinkRefusal = 'link_not_valid' | PasswordFault;

interface NewPassword {
  purpose: LinkPurpose;
  token: string;
  password: string;
}

/**
 * Forgotten password, activation and invitation alike. All earlier tokens and links of the account are void afterwards.
 * Whoever activates an account by an invitation accepts that one; the others wait for their own answers.
 */
export async function setPasswordByLink(
  db: Database,
  requester: Requester,
  { purpose, token, password }: NewPassword,
  now: Date,
): Promise<Result<LinkedAccount, LinkRefusal>> {
  // Hashing takes long: not for links that somebody made up, and not inside the transaction.
  const linked = await findLinkedAccount(db, purpose, token, now);
  if (!linked) return refuse('link_not_valid');
  const accepted = acceptPassword(password, linked);
  if (!accepted.ok) return accepted;
  const passwordHash = await hashPassword(accepted.value);
  return db.transaction(async (tx) => {
    const account = await takeLink(tx, purpose, token, now);
    if (!account) return refuse('link_not_valid');
    const { id: accountId, isPrivate, invitationId } = account;
    const owner = provedToBe(requester, account);
    const way = isPrivate ? 'mail' : 'kept_mail';
    await setPassword(tx, owner, { accountId, passwordHash, way }, now);
    if (invitationId !== null)
      await acceptInvitation(tx, owner, { accountId, id: invitationId, isByLink: true }, now);
    return ok(account);
  });
}
