import type { Requester } from '../../domain/accounts/requester.ts';
import type { AccountId, SessionId } from '../../domain/ids.ts';
import type { TokenSigner } from '../../platform/auth/token.ts';
import type { Tx } from '../../platform/db/database.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { beginSession, endSession } from './sessions.ts';

interface Proved {
  owner: Requester;
  /** The generation was read with what proved it: if that changes meanwhile, this token is born revoked. */
  account: { id: AccountId; generation: number };
  detail?: Record<string, string>;
  userAgent: string | null;
  /** Who was signed in where this sign-in comes from: that session ends with it. */
  replaces: { accountId: AccountId; sessionId: SessionId | null } | null;
}

/** On record, with a session of its own; answers with its token. */
export async function beginSignedIn(
  tx: Tx,
  signer: TokenSigner,
  { owner, account, detail, userAgent, replaces }: Proved,
  now: Date,
) {
  await writeAudit(tx, owner, { action: 'auth.token', ...(detail && { detail }) }, now);
  if (replaces?.sessionId) await endSession(tx, replaces.accountId, replaces.sessionId, now);
  const { id: accountId, generation } = account;
  const address = owner.address ?? '';
  const sessionId = await beginSession(tx, { accountId, generation, address, userAgent }, now);
  return { token: await signer.issue({ accountId, generation, sessionId }, now), sessionId };
}
