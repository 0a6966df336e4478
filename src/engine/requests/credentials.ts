// Asks every request for its credentials, before anything else of it is read.
import type { FastifyRequest } from 'fastify';
import { answerDetail } from '../../platform/http/answers.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { type Caller, type CallerDeps, findCaller } from './caller.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
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

export function askForCredentials(app: HttpServer, deps: CallerDeps): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('isVouchedFor', false);
  app.addHook('onRequest', async (request, reply) => {
    const { ignoresCredentials, isPage, isForBadTimes } = request.routeOptions.config;
    if (ignoresCredentials) return;
    const caller = await findCaller(deps, request, request.now, isForBadTimes ?? false);
    if (caller === 'vouched_for') {
      request.isVouchedFor = true;
      return;
    }
    if (caller !== 'invalid_token') request.caller = caller;
    else if (!isPage) return answerDetail(reply, 401, 'Could not validate credentials');
  });
}

export const findAccountId = ({ caller }: FastifyRequest) => caller?.id;
