import type { SignedIn } from '../../domain/accounts/requester.ts';
import type { Language } from '../../domain/language/speak.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { endSession } from '../accounts/sessions.ts';
import type { SignInDeps } from './decide-attempt.ts';
import { describeSignInRefusal, signIn } from './sign-in.ts';

interface Again {
  visitor: SignedIn & { language: Language };
  userAgent: string | null;
  now: Date;
}

export interface SignInFault {
  status: number;
  text: string;
}

/** Throttled, on record and in the words of the token endpoint. */
export async function signInAgain(
  deps: SignInDeps,
  { visitor, userAgent, now }: Again,
  password: string,
): Promise<Result<string, SignInFault>> {
  const signedIn = await signIn(deps, visitor, { username: visitor.email, password, userAgent }, now);
  return signedIn.ok ? signedIn : refuse(describeSignInRefusal(signedIn.refusal, visitor.language));
}

/** The same, and only the password is asked for: the page stays in the session that it has. */
export async function checkPassword(
  deps: SignInDeps,
  again: Again,
  password: string,
): Promise<Result<null, SignInFault>> {
  const { db, signer } = deps;
  const { visitor, now } = again;
  const checked = await signInAgain(deps, again, password);
  if (!checked.ok) return checked;
  const proved = await signer.read(checked.value, now);
  const { sessionId } = proved ?? {};
  if (sessionId) await db.transaction((tx) => endSession(tx, visitor.accountId, sessionId, now));
  return ok(null);
}
