import { ok, type Result, refuse } from '../../domain/result.ts';
import { endSession } from '../../engine/accounts/sessions.ts';
import { userAgentOf } from '../../engine/requests/requester-of.ts';
import { describeSignInRefusal, signIn } from '../../engine/sign-in/sign-in.ts';
import type { OwnVisit, ProfilePageDeps } from './own-visit.ts';

/** Throttled, on record and in the words of the token endpoint. */
export async function signInAgain(
  deps: ProfilePageDeps,
  { request, visitor }: OwnVisit,
  password: string,
): Promise<Result<string, { status: number; text: string }>> {
  const credentials = { username: visitor.email, password, userAgent: userAgentOf(request) };
  const signedIn = await signIn(deps, visitor, credentials, request.now);
  return signedIn.ok ? signedIn : refuse(describeSignInRefusal(signedIn.refusal, visitor.language));
}

/** The same, and only the password is asked for: the page stays in the session that it has. */
export async function checkPassword(
  deps: ProfilePageDeps,
  visit: OwnVisit,
  password: string,
): Promise<Result<null, { status: number; text: string }>> {
  const { db, signer } = deps;
  const { request, visitor } = visit;
  const checked = await signInAgain(deps, visit, password);
  if (!checked.ok) return checked;
  const proved = await signer.read(checked.value, request.now);
  const { sessionId } = proved ?? {};
  if (sessionId) await db.transaction((tx) => endSession(tx, visitor.accountId, sessionId, request.now));
  return ok(null);
}
