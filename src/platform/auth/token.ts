import { createHmac } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { AccountId, SessionId } from '../../domain/ids.ts';
import { isSame } from './is-same.ts';

/** Contract, Limits: 8 hours from issue. */
export const TOKEN_LIFETIME_MS = 8 * 60 * 60 * 1000;

export interface TokenClaims {
  accountId: AccountId;
  /** Raised by logout, password change and deactivation; a token of an earlier generation is revoked. */
  generation: number;
  /** Missing in tokens of the version before: only raising the generation ends those. */
  sessionId?: SessionId;
}

export interface TokenSigner {
  issue(claims: TokenClaims, now: Date): Promise<string>;
  /** null for anything that is not a token of ours still within its lifetime. */
  read(token: string, now: Date): Promise<TokenClaims | null>;
  /** A note that a browser brings back unchanged, for one purpose and until it expires. */
  seal(note: Note, purpose: NotePurpose, expiresAt: Date): Promise<string>;
  unseal(sealed: string, purpose: NotePurpose, now: Date): Promise<Note | null>;
  /** What a link carries that only whoever was sent it knows; nothing is stored for it. */
  prove(link: string): string;
  isProof(link: string, given: string): boolean;
}

type Note = Record<string, unknown>;

/** A token has none, so that neither is taken for the other. */
type NotePurpose = 'new passkey' | 'sign in by passkey';

interface ReadToken {
  claims: TokenClaims;
  issuedAt: number;
}

/** A token that was ours once stays so: what has to be asked each time is how old it is. */
const MOST_REMEMBERED = 10_000;

export function createTokenSigner(secret: Uint8Array): TokenSigner {
  const remembered = new Map<string, ReadToken>();
  // A key of their own, so that no proof is the signature of a token.
  const proofKey = createHmac('sha256', secret).update('proofs of links').digest();
  const prove = (link: string) => createHmac('sha256', proofKey).update(link).digest('base64url');

  async function verify(token: string, now: Date): Promise<ReadToken | null> {
    const known = remembered.get(token);
    if (known) return known;
    // The lifetime is checked below, to the millisecond; the library counts in whole seconds.
    const { payload } = await jwtVerify(token, secret, { algorithms: ['HS256'], currentDate: now }).catch(
      () => ({ payload: null }),
    );
    if (!payload?.sub || typeof payload.gen !== 'number' || payload.iat === undefined) return null;
    const claims = { accountId: Number(payload.sub) as AccountId, generation: payload.gen };
    const read = {
      claims: typeof payload.sid === 'number' ? { ...claims, sessionId: payload.sid as SessionId } : claims,
      issuedAt: Math.round(payload.iat * 1000),
    };
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(token, read);
    return read;
  }

  return {
    issue: ({ accountId, generation, sessionId }, now) =>
      new SignJWT({ gen: generation, sid: sessionId, iat: now.getTime() / 1000 })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(String(accountId))
        .sign(secret),

    async read(token, now) {
      const read = await verify(token, now);
      return read && now.getTime() - read.issuedAt < TOKEN_LIFETIME_MS ? read.claims : null;
    },
    seal: (note, purpose, expiresAt) =>
      new SignJWT({ note })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setAudience(purpose)
        .setExpirationTime(expiresAt)
        .sign(secret),
    async unseal(sealed, purpose, now) {
      const options = { algorithms: ['HS256'], audience: purpose, currentDate: now };
      const { payload } = await jwtVerify(sealed, secret, options).catch(() => ({ payload: null }));
      return (payload?.note as Note | undefined) ?? null;
    },
    prove,
    isProof: (link, given) => isSame(prove(link), given),
  };
}
