// Asks every request for its credentials, before anything else of it is read.
import type { FastifyRequest } from 'fastify';
import type { SignedIn } from '../../domain/accounts/requester.ts';
import { answerDetail } from '../../platform/http/answers.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { findSignedIn, openAccountLooks, type SignedInDeps } from './find-signed-in.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** null: nobody. */
    signedIn: SignedIn | null;
    /** The token is ours and has not expired; whose it is the database could not say. */
    isVouchedFor: boolean;
  }
  interface FastifyContextConfig {
    /** For people in a browser: without a valid session they are led to the sign-in page. */
    isPage?: boolean;
    /** Answers also while the database does not, to anybody with a token of ours. */
    isForBadTimes?: boolean;
  }
}

export function askForCredentials(app: HttpServer, given: Omit<SignedInDeps, 'accounts'>): void {
  const deps = { ...given, accounts: openAccountLooks(given.db) };
  app.decorateRequest('signedIn', null);
  app.decorateRequest('isVouchedFor', false);
  app.addHook('onRequest', async (request, reply) => {
    const { ignoresCredentials, isPage, isForBadTimes } = request.routeOptions.config;
    if (ignoresCredentials) return;
    const found = await findSignedIn(deps, request, request.now, isForBadTimes ?? false);
    if (found === 'vouched_for') {
      request.isVouchedFor = true;
      return;
    }
    if (found !== 'invalid_token') request.signedIn = found;
    else if (!isPage) return answerDetail(reply, 401, 'Could not validate credentials');
  });
}

export const findAccountId = ({ signedIn }: FastifyRequest) => signedIn?.accountId;
