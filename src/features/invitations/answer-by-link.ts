import type { InvitationId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { type LinkedAccount, takeLink } from '../../engine/accounts/account-links.ts';
import { acceptInvitation, declineInvitation } from '../../engine/accounts/invitations.ts';
import type { Database } from '../../platform/db/database.ts';

interface LinkAnswer {
  token: string;
  address: string;
  requestId: string;
}

/** Nobody but the owner is sure to know the password only if the mail with the link left, and so did the last one. */
export const needsNewPassword = ({ isPrivate, passwordMayBeKnown }: LinkedAccount): boolean =>
  !isPrivate || passwordMayBeKnown;

/** The link alone is enough where `needsNewPassword` says so: it is the owner's mail. */
export const acceptByLink = (
  db: Database,
  { token, address, requestId }: LinkAnswer,
  now: Date,
): Promise<Result<null, 'link_not_valid'>> =>
  db.transaction(async (tx) => {
    const account = await takeLink(tx, 'invitation', token, now);
    if (!account?.invitationId || needsNewPassword(account)) return refuse('link_not_valid');
    const { id: accountId, name, invitationId: id } = account;
    const actor = { accountId, name, address, requestId };
    const accepted = await acceptInvitation(tx, actor, { accountId, id, isByLink: true }, now);
    return accepted.ok ? ok(null) : refuse('link_not_valid');
  });

export const declineByLink = (
  db: Database,
  { token, requestId }: LinkAnswer,
  now: Date,
): Promise<Result<null, 'link_not_valid'>> =>
  db.transaction(async (tx) => {
    const account = await takeLink(tx, 'invitation', token, now);
    if (!account?.invitationId) return refuse('link_not_valid');
    const id: InvitationId = account.invitationId;
    const declined = await declineInvitation(tx, requestId, account.id, id, now);
    return declined.ok ? ok(null) : refuse('link_not_valid');
  });
