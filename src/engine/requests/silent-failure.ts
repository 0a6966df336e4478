// Contract, Silent failures: unacknowledge, mute and unmute answer 200 when they fail unexpectedly.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { wantsFragment } from '../../platform/html/fragment.ts';
import { isRequestsFault } from '../../platform/http/errors.ts';

export const OperationFailed = Type.Object(
  { status: Type.Literal('error'), message: Type.Literal('Operation failed') },
  { description: 'An unexpected failure; nothing was changed' },
);

export function answerOperationFailed(reply: FastifyReply): FastifyReply {
  // htmx would put any 200 in the place of what was clicked.
  if (wantsFragment(reply.request)) reply.header('hx-reswap', 'none');
  return reply.send({ status: 'error', message: 'Operation failed' });
}

/** The error handler of such a route. What the request itself got wrong is answered like everywhere else. */
export function answerSilently(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (isRequestsFault(error)) throw error;
  request.log.error({ err: error }, 'operation failed');
  return answerOperationFailed(reply.code(200));
}
