// What a device is asked to sign. The browser that asked carries it, sealed: any program reads the answer, no other browser's.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CHALLENGE_LIFETIME_MS } from '../../platform/auth/passkeys.ts';
import type { TokenSigner } from '../../platform/auth/token.ts';

const CHALLENGE_COOKIE = 'passkey_challenge';

type Purpose = Parameters<TokenSigner['seal']>[1];

export interface Challenge {
  challenge: string;
  expiresAt: Date;
  /** Who asked; null: nobody is signed in. */
  accountId: number | null;
}

interface ChallengeDeps {
  signer: TokenSigner;
  publicUrl: () => URL | null;
}

export async function rememberChallenge(
  { signer, publicUrl }: ChallengeDeps,
  { protocol, now }: FastifyRequest,
  reply: FastifyReply,
  purpose: Purpose,
  { challenge, accountId }: Omit<Challenge, 'expiresAt'>,
): Promise<void> {
  const expiresAt = new Date(now.getTime() + CHALLENGE_LIFETIME_MS);
  const note = { challenge, accountId, expiresAt: expiresAt.getTime() };
  reply.setCookie(CHALLENGE_COOKIE, await signer.seal(note, purpose, expiresAt), {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: protocol === 'https' || publicUrl()?.protocol === 'https:',
    maxAge: CHALLENGE_LIFETIME_MS / 1000,
  });
}

/** null: none was asked for here, or too long ago. */
export async function takeChallenge(
  { signer }: ChallengeDeps,
  { cookies, now }: FastifyRequest,
  reply: FastifyReply,
  purpose: Purpose,
): Promise<Challenge | null> {
  const sealed = cookies[CHALLENGE_COOKIE];
  if (sealed === undefined) return null;
  reply.clearCookie(CHALLENGE_COOKIE, { path: '/' });
  const note = await signer.unseal(sealed, purpose, now);
  if (!note) return null;
  const { challenge, accountId, expiresAt } = note as {
    challenge: string;
    accountId: number | null;
    expiresAt: number;
  };
  return { challenge, accountId, expiresAt: new Date(expiresAt) };
}
