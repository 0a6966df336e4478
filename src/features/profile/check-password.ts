import { ok, type Result } from '../../domain/result.ts';
import { endSession } from '../../engine/accounts/sessions.ts';
import { userAgentOf } from '../../engine/requests/requester-of.ts';
import type { OwnVisit, ProfilePageDeps } from './own-visit.ts';

/** Throttled and on record like a sign-in. Only the password is asked for: the page stays in the session that it has. */
export async function checkPassword(
  { db, signer, signIn }: ProfilePageDeps,
  { request, visitor }: OwnVisit,
  password: string,
): Promise<Result<null, { status: number; text: string }>> {
  const credentials = { username: visitor.email, password, userAgent: userAgentOf(request) };
  const checked = await signIn(visitor, credentials, request.now);
  if (!checked.ok) return checked;
  const proved = await signer.read(checked.value, request.now);
  const { sessionId } = proved ?? {};
  if (sessionId) await db.transaction((tx) => endSession(tx, visitor.accountId, sessionId, request.now));
  return ok(null);
}
