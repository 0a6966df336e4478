import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { ServiceId } from '../../domain/ids.ts';
import { ok, type Result } from '../../domain/result.ts';
import { LONGEST_MUTE_MINUTES, type MutedService, mute } from '../../engine/acts/mute.ts';
import { unmute } from '../../engine/acts/unmute.ts';
import { showMuteControl } from '../../engine/pages/mute-control.tsx';
import { readerOf, requesterOf } from '../../engine/requests/requester-of.ts';
import { answerSilently, OperationFailed } from '../../engine/requests/silent-failure.ts';
import type { OperateRefusal } from '../../engine/services/operate-on-service.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import {
  answerFragment,
  jsonOrFragment,
  renderFragment,
  wantsFragment,
} from '../../platform/html/fragment.ts';
import { answerDetail, errors } from '../../platform/http/answers.ts';
import { id, text } from '../../platform/http/fields.ts';
import { FORM_TYPES, type HttpServer } from '../../platform/http/server.ts';

/** Contract, Mute. */
const ANSWERS: Record<OperateRefusal, [status: number, detail: string]> = {
  no_such_service: [404, 'Service not found'],
  outside_organization: [403, 'Not authorized for this service'],
  viewer_only: [403, 'Operator role or higher required for this action'],
};

const ServicePath = Type.Object({ service_id: id('Service id') });

const MuteForm = Type.Object({
  reason: Type.Optional(text('Free text, recorded in the audit log')),
  minutes: Type.Optional(
    Type.Integer({
      description: 'How long it lasts; left out or empty, until it is unmuted',
      minimum: 1,
      maximum: LONGEST_MUTE_MINUTES,
      blankIsMissing: true,
    }),
  ),
});

const resultOf = <const Status extends string>(status: Status) =>
  Type.Union([Type.Object({ status: Type.Literal(status), service_id: Type.Integer() }), OperationFailed]);

export function routeMutes(app: HttpServer, { db }: { db: Database }): void {
  /** The verb, and for htmx the control it leaves behind, in one transaction: what cannot be shown was not done. */
  async function answer<Status extends string>(
    request: FastifyRequest,
    reply: FastifyReply,
    verb: (tx: Tx) => Promise<Result<MutedService, OperateRefusal>>,
    status: Status,
  ) {
    const outcome = await db.transaction(async (tx) => {
      const done = await verb(tx);
      if (!done.ok) return done;
      const reader = readerOf(request);
      const control = wantsFragment(request)
        ? renderFragment(await showMuteControl(tx, done.value, reader), reader.language)
        : null;
      return ok({ serviceId: done.value.id, control });
    });
    if (!outcome.ok) return answerDetail(reply, ...ANSWERS[outcome.refusal]);
    const { serviceId, control } = outcome.value;
    return control === null ? { status, service_id: serviceId } : answerFragment(reply, control);
  }

  app.route({
    method: 'POST',
    url: '/api/v1/services/:service_id/mute',
    schema: {
      summary: 'Mute the notifications of a service',
      description:
        'Until it is unmuted, or for so many `minutes`. Check `status`: an unexpected failure answers 200 too.',
      tags: ['Mute'],
      consumes: FORM_TYPES,
      params: ServicePath,
      body: MuteForm,
      response: {
        200: jsonOrFragment('Muted, or failed unexpectedly', resultOf('muted')),
        ...errors(400, 401, 403, 404, 409, 413, 422),
      },
    },
    errorHandler: answerSilently,
    handler: (request, reply) => {
      const serviceId = request.params.service_id as ServiceId;
      const { reason, minutes } = request.body;
      return answer(
        request,
        reply,
        (tx) =>
          mute(tx, requesterOf(request), { serviceId, reason, ...(minutes && { minutes }) }, request.now),
        'muted',
      );
    },
  });

  app.route({
    method: 'POST',
    url: '/api/v1/services/:service_id/unmute',
    schema: {
      summary: 'Unmute the notifications of a service',
      description:
        'Clears all its mutes; succeeds for a service that is not muted, too. Check `status`: an unexpected failure answers 200 too.',
      tags: ['Mute'],
      params: ServicePath,
      response: {
        200: jsonOrFragment('Unmuted, or failed unexpectedly', resultOf('unmuted')),
        ...errors(400, 401, 403, 404, 413, 422),
      },
    },
    errorHandler: answerSilently,
    handler: (request, reply) => {
      const serviceId = request.params.service_id as ServiceId;
      return answer(
        request,
        reply,
        (tx) => unmute(tx, requesterOf(request), { serviceId }, request.now),
        'unmuted',
      );
    },
  });
}
