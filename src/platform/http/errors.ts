// Contract, Order of checks: what the framework refuses is answered like everything else, and nothing internal leaves the process.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CommitUnknown, retryHelps, tookTooLong } from '../db/passing-fault.ts';
import { MostReached } from '../most-reached.ts';
import { GateFull } from '../turns.ts';
import { answerDetail } from './answers.ts';
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

/** What people see instead of a page. `why` is given where the status does not say enough. */
export type AnswerErrorPage = (
  reply: FastifyReply,
  status: number,
  why?: 'saved_or_not' | 'took_too_long' | 'pictures_busy' | MostReached,
) => FastifyReply;

type AnswerFault = (
  reply: FastifyReply,
  status: number,
  detail: string,
  why?: Parameters<AnswerErrorPage>[2],
) => FastifyReply;

/** Programs get a detail, people a page. */
export const answerFaultsBy =
  (answerErrorPage: AnswerErrorPage): AnswerFault =>
  (reply, status, detail, why) =>
    isPagePath(reply.request.url) ? answerErrorPage(reply, status, why) : answerDetail(reply, status, detail);

/** Everything but what programs ask for. */
const isPagePath = (url: string): boolean => !/^\/(api|assets|health)([/?]|$)/.test(url);

/** A route with words of its own for what fails unexpectedly throws on to here what the request itself got wrong. */
export const answerErrorsBy =
  (answerFault: AnswerFault) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof FieldFaults) return answerDetail(reply, 422, error.faults);
    if (error instanceof MostReached) return answerFault(reply, error.statusCode, error.message, error);
    const detail = STATUS_DETAILS[error.statusCode ?? 500];
    if (error.statusCode !== undefined && detail !== undefined)
      return answerFault(reply, error.statusCode, detail);
    if (error instanceof GateFull) {
      reply.header('retry-after', CROWD_PASSES_SECONDS);
      return answerFault(reply, 429, CROWDED);
    }
    request.log.error({ err: error }, 'request failed');
    if (retryHelps(error)) return answerUnavailable(answerFault, error, reply);
    return answerFault(reply, 500, 'Internal Server Error');
  };

/** What the request itself got wrong is answered alike everywhere. */
export const isRequestsFault = ({ statusCode }: FastifyError): boolean =>
  statusCode !== undefined && statusCode < 500;

/** Our bad moment, and nobody's mistake: gateways keep what they have and send it again. */
function answerUnavailable(answerFault: AnswerFault, error: Error, reply: FastifyReply): FastifyReply {
  reply.header('retry-after', RETRY_AFTER_SECONDS);
  if (error instanceof CommitUnknown)
    return answerFault(
      reply,
      503,
      'It is not known whether this was saved: look before you try again',
      'saved_or_not',
    );
  if (tookTooLong(error))
    return answerFault(
      reply,
      503,
      'The database took too long over this: try again later, or ask for less at a time',
      'took_too_long',
    );
  return answerFault(reply, 503, 'The database is not available at the moment: try again');
}

/**
 * Remembers every route, so that a known path with a wrong method can say which methods it knows.
 * Answers when the request arrives: neither credentials nor body of an unknown route matter.
 */
export function answerUnknownRoutes(app: FastifyInstance, answerFault: AnswerFault): void {
  const routes: { method: string; steps: string[] }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) routes.push({ method: name, steps: url.split('/') });
  });
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    const [path = ''] = request.url.split('?');
    const steps = path.split('/', MOST_STEPS);
    const allowed = routes.filter((route) => leadsTo(route.steps, steps)).map(({ method }) => method);
    if (allowed.length === 0) return answerFault(reply, 404, 'Not Found');
    reply.header('allow', [...new Set(allowed)].sort().join(', '));
    return answerFault(reply, 405, 'Method Not Allowed');
  });
}

const MOST_STEPS = 50;

/** `/rota/:token.ics` leads to `/rota/abc.ics`. */
const leadsTo = (route: readonly string[], steps: readonly string[]): boolean =>
  route.length === steps.length && route.every((step, place) => isStep(step, steps[place] ?? ''));

function isStep(step: string, given: string): boolean {
  const named = step.indexOf(':');
  if (named < 0) return step === given;
  const [name = ''] = /^[a-z_]+/i.exec(step.slice(named + 1)) ?? [];
  const [before, after] = [step.slice(0, named), step.slice(named + 1 + name.length)];
  return given.length > before.length + after.length && given.startsWith(before) && given.endsWith(after);
}
