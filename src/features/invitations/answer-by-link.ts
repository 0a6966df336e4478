import { provedToBe, type Requester } from '../../domain/accounts/requester.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { type LinkedAccount, takeLink } from '../../engine/accounts/account-links.ts';
import { acceptInvitation, declineInvitation } from '../../engine/accounts/invitations.ts';
import type { Tx } from '../../platform/db/database.ts';

/** Nobody but the owner is sure to know the password only if the mail with the link left, and so did the last one. */
export const needsNewPassword = ({ isPrivate, passwordMayBeKnown }: LinkedAccount): boolean =>
  !isPrivate || passwordMayBeKnown;

/** The link alone is enough where `needsNewPassword` says so: it is the owner's mail. */
export async function acceptByLink(
  tx: Tx,
  requester: Requester,
  { token }: { token: string },
  now: Date,
): Promise<Result<null, 'link_not_valid'>> {
  const account = await takeLink(tx, 'invitation', token, now);
  if (!account?.invitationId || needsNewPassword(account)) return refuse('link_not_valid');
  const answer = { accountId: account.id, id: account.invitationId, isByLink: true };
  const accepted = await acceptInvitation(tx, provedToBe(requester, account), answer, now);
  return accepted.ok ? ok(null) : refuse('link_not_valid');
}

export async function declineByLink(
  tx: Tx,
  requester: Requester,
  { token }: { token: string },
  now: Date,
): Promise<Result<null, 'link_not_valid'>> {
  const account = await takeLink(tx, 'invitation', token, now);
  if (!account?.invitationId) return refuse('link_not_valid');
  const answer = { accountId: account.id, id: account.invitationId };
  const declined = await declineInvitation(tx, requester, answer, now);
  return declined.ok ? ok(null) : refuse('link_not_valid');
}
