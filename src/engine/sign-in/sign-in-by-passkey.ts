// A passkey proves two things at once: the device, and whoever unlocked it. No address is typed, no password.
import { bucketOf } from '../../domain/accounts/address-bucket.ts';
import type { Requester, SignedIn } from '../../domain/accounts/requester.ts';
import { type Result, refuse } from '../../domain/result.ts';
import { provePasskey, type RelyingParty, readPasskeyAnswer } from '../../platform/auth/passkeys.ts';
import { answerChallenge, countSignature, findPasskey } from '../accounts/passkeys.ts';
import type { Challenge } from '../requests/passkey-challenge.ts';
import { decideAttempt, type SignInDeps, secondsToWaitBefore } from './decide-attempt.ts';
import type { PasskeyRefusal } from './sign-in.ts';

/** No email has a space: what is counted for a passkey is counted for nobody's password. */
const counterOf = (credentialId: string): string => `passkey ${credentialId.slice(0, 200)}`;

interface PasskeySignIn {
  /** As the browser wrote it. */
  answer: string;
  /** null: this browser asked for none, or too long ago. */
  challenge: Challenge | null;
  site: RelyingParty;
  userAgent: string | null;
  replaces: SignedIn | null;
}

export async function signInByPasskey(
  deps: SignInDeps,
  requester: Requester,
  { answer, challenge, site, userAgent, replaces }: PasskeySignIn,
  now: Date,
): Promise<Result<string, PasskeyRefusal>> {
  if (!challenge) return refuse({ reason: 'asked_too_long_ago' });
  const given = readPasskeyAnswer(answer);
  if (!given) return refuse({ reason: 'no_such_passkey' });
  const counter = { key: counterOf(given.credentialId), from: bucketOf(requester.address ?? '') };
  const seconds = await secondsToWaitBefore(deps.db, counter, now);
  if (seconds > 0) return refuse({ reason: 'throttled', seconds });

  const passkey = await findPasskey(deps.db, given.credentialId);
  const isOwners = passkey && (given.accountId ?? passkey.account.id) === passkey.account.id;
  const signatures = isOwners ? await provePasskey(given, passkey, site, challenge.challenge) : null;
  return decideAttempt(
    deps,
    {
      counter,
      requester,
      account: passkey?.account ?? null,
      by: 'passkey',
      isProved: async (tx) =>
        passkey !== null &&
        signatures !== null &&
        (await answerChallenge(tx, challenge.challenge, challenge.expiresAt)) &&
        (await countSignature(tx, passkey.id, signatures, now)),
      unproved: 'no_such_passkey',
      ...(passkey && { detail: { passkey: passkey.name } }),
      userAgent,
      replaces,
    },
    now,
  );
}
