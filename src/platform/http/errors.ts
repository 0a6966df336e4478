// Contract, Order of checks: what the framework refuses is answered like everything else, and nothing internal leaves the process.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CommitUnknown, retryHelps, tookTooLong } from '../db/passing-fault.ts';
import { GateFull } from '../gate.ts';
import { answerDetail } from './answers.ts';
import { answerErrorPage, type ErrorWords, isPagePath, SAVED_OR_NOT, TOOK_TOO_LONG } from './error-page.ts';
import { FieldFaults } from './fields.ts';

const STATUS_DETAILS: Record<number, string> = {
  400: 'The request could not be read',
  413: 'Request body too large',
  414: 'The address is too long',
  415: 'Unsupported content type',
};

const CROWDED = 'Too many passwords are being checked at the moment: try again in a few seconds';

export const RETRY_AFTER_SECONDS = 5;
const CROWD_PASSES_SECONDS = 2;

export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof FieldFaults) return answerDetail(reply, 422, error.faults);
  const detail = STATUS_DETAILS[error.statusCode ?? 500];
  if (error.statusCode !== undefined && detail !== undefined)
    return answerFault(request, reply, error.statusCode, detail);
  if (error instanceof GateFull) {
    reply.header('retry-after', CROWD_PASSES_SECONDS);
    return answerFault(request, reply, 429, CROWDED);
  }
  request.log.error({ err: error }, 'request failed');
  if (retryHelps(error)) return answerUnavailable(error, request, reply);
  return answerFault(request, reply, 500, 'Internal Server Error');
}

/** Our bad moment, and nobody's mistake: gateways keep what they have and send it again. */
function answerUnavailable(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('retry-after', RETRY_AFTER_SECONDS);
  if (error instanceof CommitUnknown)
    return answerFault(
      request,
      reply,
      503,
      'It is not known whether this was saved: look before you try again',
      SAVED_OR_NOT,
    );
  if (tookTooLong(error))
    return answerFault(
      request,
      reply,
      503,
      'The database took too long over this: try again later, or ask for less at a time',
      TOOK_TOO_LONG,
    );
  return answerFault(request, reply, 503, 'The database is not available at the moment: try again');
}

/** Programs get a detail, people a page. */
const answerFault = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  detail: string,
  page?: ErrorWords,
) => (isPagePath(request.url) ? answerErrorPage(reply, status, page) : answerDetail(reply, status, detail));

/**
 * Remembers every route, so that a known path with a wrong method can say which methods it knows.
 * Answers when the request arrives: neither credentials nor body of an unknown route matter.
 */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const routes: { method: string; pattern: RegExp }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    const literal = url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const pattern = new RegExp(`^${literal.replaceAll(/:[a-z_]+/gi, '[^/]+')}$`);
    for (const name of [method].flat()) routes.push({ method: name, pattern });
  });
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    const [path = ''] = request.url.split('?');
    const allowed = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (allowed.length === 0) return answerFault(request, reply, 404, 'Not Found');
    reply.header('allow', [...new Set(allowed)].sort().join(', '));
    return answerFault(request, reply, 405, 'Method Not Allowed');
  });
}
