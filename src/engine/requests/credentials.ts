// Asks every request for its credentials, before anything else of it is read.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../../domain/accounts/requester.ts';
import { answerDetail } from '../../platform/http/answers.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { dropDevice, findDeviceSecret, keepDevice } from './device-cookie.ts';
import {
  countsCookies,
  findBearer,
  findBySession,
  findSignedIn,
  openAccountLooks,
  type SignedInDeps,
} from './find-signed-in.ts';
import { requesterOf, userAgentOf } from './requester-of.ts';
import { resumeByDevice } from './resume-by-device.ts';
import { keepSession } from './session-cookie.ts';

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
    const signedIn = found === 'invalid_token' ? null : found;
    request.signedIn = signedIn ?? (await resume(deps, request, reply));
    if (request.signedIn || found !== 'invalid_token') return;
    if (!isPage) return answerDetail(reply, 401, 'Could not validate credentials');
  });
}

/** Where the session is over, or was never begun: by what the browser keeps, unless another site sent it. */
async function resume(
  deps: SignedInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn | null> {
  const { db, signer, publicUrl } = deps;
  const secret = findDeviceSecret(request);
  if (secret === null || findBearer(request) !== null || !countsCookies(request, publicUrl())) return null;
  const { now } = request;
  const by = { signer, secret, userAgent: userAgentOf(request) };
  try {
    const resumed = await db.transaction((tx) => resumeByDevice(tx, requesterOf(request), by, now));
    if (!resumed.ok) {
      dropDevice(reply);
      return null;
    }
    const { token, device } = resumed.value;
    keepSession(request, reply, token, publicUrl());
    keepDevice(request, reply, device, publicUrl());
    return await findBySession(deps, request, token, now);
  } catch (error) {
    // What answers while the database does not, answers as to anybody.
    if (request.routeOptions.config.isForBadTimes) return null;
    throw error;
  }
}

export const findAccountId = ({ signedIn }: FastifyRequest) => signedIn?.accountId;
