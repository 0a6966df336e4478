import type { FastifyRequest } from 'fastify';
import type { SignedIn } from '../../domain/accounts/requester.ts';
import type { Reader } from '../../platform/html/time.tsx';
import { languageOf } from '../requests/language-of.ts';

/** Who is signed in and looks at a page, and when. */
export interface Visitor extends SignedIn, Reader {}

/** null: nobody is signed in. */
export const visitorOf = (request: FastifyRequest): Visitor | null =>
  request.signedIn && { ...request.signedIn, now: request.now, language: languageOf(request) };
