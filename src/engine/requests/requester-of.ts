import type { FastifyRequest } from 'fastify';
import { notSignedIn, type Requester, type SignedIn } from '../../domain/accounts/requester.ts';
import type { Result } from '../../domain/result.ts';
import type { RelyingParty } from '../../platform/auth/passkeys.ts';
import type { Challenge } from './passkey-challenge.ts';

/** Who sends a request, and from where. */
export const requesterOf = ({ signedIn, ip: address, id: requestId }: FastifyRequest): Requester =>
  signedIn ?? notSignedIn({ address, requestId });

/** Whoever asks for a fragment of a page; what is anonymous lives in UTC. */
export const readerOf = ({ signedIn, now }: FastifyRequest) => ({
  timezone: signedIn?.timezone ?? 'UTC',
  now,
});

/** The verb of the room of sign-ins, as the pages get it: throttled, on record and in the words of the token endpoint. */
export type SignIn<Refused> = (
  requester: Requester,
  credentials: {
    username: string;
    password: string;
    userAgent: string | null;
    replaces?: SignedIn | null;
  },
  now: Date,
) => Promise<Result<string, Refused>>;

/** The same by a passkey. */
export interface PasskeySignIn {
  /** As the browser wrote it. */
  answer: string;
  /** null: this browser asked for none, or too long ago. */
  challenge: Challenge | null;
  site: RelyingParty;
  userAgent: string | null;
  replaces: SignedIn | null;
}

/** What program a session is begun with. */
export const userAgentOf = ({ headers }: FastifyRequest): string | null => headers['user-agent'] ?? null;
