import type { FastifyRequest } from 'fastify';
import { notSignedIn, type Requester } from '../../domain/accounts/requester.ts';
import { languageOf } from './language-of.ts';

/** Who sends a request, and from where. */
export const requesterOf = ({ signedIn, ip: address, id: requestId }: FastifyRequest): Requester =>
  signedIn ?? notSignedIn({ address, requestId });

/** Whoever asks for a fragment of a page; what is anonymous lives in UTC. */
export const readerOf = (request: FastifyRequest) => ({
  timezone: request.signedIn?.timezone ?? 'UTC',
  now: request.now,
  language: languageOf(request),
});

/** What program a session is begun with. */
export const userAgentOf = ({ headers }: FastifyRequest): string | null => headers['user-agent'] ?? null;
