import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { h } from 'preact';
import { Type } from 'typebox';
import { type EditFault, SAVE_FAILED } from '../../../domain/equipment/edit-form.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import { editService } from '../../../engine/acts/edit-service.ts';
import { requesterOf } from '../../../engine/requests/requester-of.ts';
import type { AdministerRefusal } from '../../../engine/services/administer-service.ts';
import type { Database } from '../../../platform/db/database.ts';
import { answerFragment, renderFragment } from '../../../platform/html/fragment.ts';
import { answerDetail, errors } from '../../../platform/http/answers.ts';
import { isRequestsFault } from '../../../platform/http/errors.ts';
import { id } from '../../../platform/http/fields.ts';
import { FORM_TYPES, type HttpServer } from '../../../platform/http/server.ts';
import { type BandRemoval, type DeleteBandRefusal, deleteBand } from './delete-band.ts';
import { DeleteBandForm, EditForm } from './forms.ts';
import { BandNotice } from './views.tsx';

/** Contract, Service settings. */
const EDIT_ANSWERS: Record<AdministerRefusal, [status: number, detail: string]> = {
  no_role: [403, 'Not authorized'],
  no_such_service: [404, 'Service not found or not authorized'],
  not_administrator: [403, 'Organization administrator role required to edit this service'],
};

const COULD_NOT_CLEAR = 'Could not clear the band(s). Please try again.';

/** Contract, Delete band. */
const DELETE_BAND_TEXTS: Record<DeleteBandRefusal, string> = {
  no_role: 'Not authorized',
  no_such_service: 'Service not found',
  not_administrator: 'Insufficient permissions to edit policy bands',
  unknown_band: COULD_NOT_CLEAR,
  no_limits: 'No active policy found for that channel.',
};

function tellRemoval(removal: BandRemoval): string {
  if (removal === 'all_cleared')
    return '✓ Cleared all bands/limits for the channel (new policy version, none configured).';
  if (removal === 'empty_entry_created')
    return '✓ Created policy entry for the channel with no limits/delays configured.';
  return `✓ Removed band ${removal.removed} (new policy version).`;
}

const ServicePath = Type.Object({ service_id: id('Service id') });

export function routeLimits(app: HttpServer, { db }: { db: Database }): void {
  app.route({
    method: 'POST',
    url: '/api/v1/services/:service_id/edit',
    schema: {
      summary: 'Replace the configuration of a service',
      description:
        'All of it: an omitted checkbox is saved off, an omitted number as its default, and the bands sent become a new version of the limits of the selected channel. Acknowledgements end, and the service is judged again at once.',
      tags: ['Service settings'],
      consumes: FORM_TYPES,
      params: ServicePath,
      body: EditForm,
      response: {
        303: Type.Null({
          description:
            'Saved: `Location` is the page of the service. Not saved: it ends in `?edit_error=` and the reason',
        }),
        ...errors(400, 401, 403, 404, 413, 422),
      },
    },
    errorHandler: answerEditFailure,
    handler: async (request, reply) => {
      const serviceId = request.params.service_id as ServiceId;
      const edit = { serviceId, fields: request.body };
      const edited = await db.transaction(
        (tx) => editService(tx, requesterOf(request), edit, request.now),
        'by_index',
      );
      if (edited.ok) return reply.redirect(`/services/${serviceId}`, 303);
      const { refusal } = edited;
      if (typeof refusal === 'object') return refuseEdit(reply, serviceId, refusal.fault);
      return answerDetail(reply, ...EDIT_ANSWERS[refusal]);
    },
  });

  app.route({
    method: 'POST',
    url: '/api/v1/services/:service_id/delete-band',
    schema: {
      summary: 'Remove a band from the limits of a channel, or all of them',
      description:
        'Makes a new version of the limits without it. Acknowledgements end, and the service is judged again at once.',
      tags: ['Service settings'],
      consumes: FORM_TYPES,
      params: ServicePath,
      body: DeleteBandForm,
      response: {
        200: {
          description: 'What was done, or why nothing was: refusals answer 200 too',
          content: { 'text/html': { schema: Type.String() } },
        },
        ...errors(400, 401, 413, 422),
      },
    },
    errorHandler: answerDeleteBandFailure,
    handler: async (request, reply) => {
      const serviceId = request.params.service_id as ServiceId;
      const removal = { serviceId, form: request.body };
      const done = await db.transaction(
        (tx) => deleteBand(tx, requesterOf(request), removal, request.now),
        'by_index',
      );
      return done.ok
        ? answerNotice(reply, tellRemoval(done.value), true)
        : answerNotice(reply, DELETE_BAND_TEXTS[done.refusal], false);
    },
  });
}

const refuseEdit = (reply: FastifyReply, serviceId: string | number, message: EditFault) =>
  reply.redirect(`/services/${serviceId}?${new URLSearchParams({ edit_error: message })}`, 303);

const answerNotice = (reply: FastifyReply, text: string, isDone: boolean) =>
  answerFragment(reply, renderFragment(h(BandNotice, { text, isDone })));

function answerEditFailure(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isRequestsFault(error)) throw error;
  request.log.error({ err: error }, 'request failed');
  // The failure may have come before the id was looked at.
  const { service_id } = request.params as { service_id: string | number };
  return refuseEdit(reply, encodeURIComponent(service_id), SAVE_FAILED);
}

function answerDeleteBandFailure(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (isRequestsFault(error)) throw error;
  request.log.error({ err: error }, 'request failed');
  return answerNotice(reply.code(200), COULD_NOT_CLEAR, false);
}
