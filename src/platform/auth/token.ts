import { jwtVerify, SignJWT } from 'jose';
import type { AccountId, SessionId } from '../../domain/ids.ts';

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
}

export function createTokenSigner(secret: Uint8Array): TokenSigner {
  return {
    issue: ({ accountId, generation, sessionId }, now) =>
      new SignJWT({ gen: generation, sid: sessionId, iat: now.getTime() / 1000 })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(String(accountId))
        .sign(secret),

    async read(token, now) {
      // The lifetime is checked below, to the millisecond; the library counts in whole seconds.
      const { payload } = await jwtVerify(token, secret, { algorithms: ['HS256'], currentDate: now }).catch(
        () => ({
          payload: null,
        }),
      );
      if (!payload?.sub || typeof payload.gen !== 'number' || payload.iat === undefined) return null;
      const age = now.getTime() - Math.round(payload.iat * 1000);
      if (age >= TOKEN_LIFETIME_MS) return null;
      const claims = { accountId: Number(payload.sub) as AccountId, generation: payload.gen };
      return typeof payload.sid === 'number' ? { ...claims, sessionId: payload.sid as SessionId } : claims;
    },
  };
}
