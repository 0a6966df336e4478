import { writeAudit } from '../../engine/audit/write-audit.ts';
import { raiseGeneration } from './queries.ts';
import type { SignInDeps } from './sign-in.ts';

interface SignOut {
  token: string;
  address: string;
  requestId: string;
}

/** Revokes every token of the account on all devices. A token that is not valid any more changes nothing. */
export async function signOut(
  { db, signer }: SignInDeps,
  { token, address, requestId }: SignOut,
  now: Date,
): Promise<void> {
  const claims = await signer.read(token, now);
  if (!claims) return;
  const { accountId, generation } = claims;
  await db.transaction(async (tx) => {
    const account = await raiseGeneration(tx, accountId, generation);
    if (!account) return;
    await writeAudit(
      tx,
      { accountId, name: account.name, address, requestId },
      { action: 'auth.logout' },
      now,
    );
  });
}
