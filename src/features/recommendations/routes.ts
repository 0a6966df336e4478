import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { Type } from 'typebox';
import { MOST_RESULT_ID } from '../../domain/advisor/result-id.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { english } from '../../domain/language/english.ts';
import { type ApplyRefusal, applyRecommendation } from '../../engine/acts/apply-recommendation.ts';
import { type RecommendRefusal, recommend } from '../../engine/acts/recommend.ts';
import { readerOf, requesterOf } from '../../engine/requests/requester-of.ts';
import type { Database } from '../../platform/db/database.ts';
import { answerFragment, renderFragment, wantsFragment } from '../../platform/html/fragment.ts';
import { errors } from '../../platform/http/answers.ts';
import { id } from '../../platform/http/fields.ts';
import { FORM_TYPES, type HttpServer } from '../../platform/http/server.ts';
import { toPanel } from './panel-model.ts';
import { type ReadRefusal, readRecommendation } from './read-recommendation.ts';
import { readResultId } from './result-id.ts';
import { Message, type Next, RecommendationPanel } from './views.tsx';

/** Contract, Recommendations: the texts of the fragments. */
const RECOMMEND_TEXTS: Record<RecommendRefusal | 'queued', (serviceId: ServiceId) => string> = {
  queued: (serviceId) => `✓ AI recommendation request queued successfully (service ${serviceId}).`,
  already_pending: (serviceId) => `A recommendation request is already pending for service ${serviceId}.`,
  no_role: () => 'Not authorized',
  no_such_service: () => 'Service not found or not authorized',
  not_administrator: () => 'Insufficient permissions to request AI recommendations',
};

const READ_TEXTS: Record<ReadRefusal, string> = {
  no_role: 'Not authorized',
  no_such_service: 'Service not found',
};

const APPLY_TEXTS: Record<ApplyRefusal, string> = {
  no_role: 'Not authorized',
  no_such_service: 'Service not found',
  not_administrator: 'Insufficient permissions to apply recommendations',
  no_such_result: 'No such recommendation result.',
  of_another_service: 'This recommendation belongs to a different service.',
  not_unapplied: 'No unapplied result or already applied.',
  no_bands: 'Result has no proposed_bands (structured output pending in AI tool).',
  unusable_bands:
    'Result has no usable proposed_bands (AI output was not a structured list of bands). Cannot apply.',
};

const ServicePath = Type.Object({ service_id: id('Service id') });

const ApplyForm = Type.Object({
  result_id: Type.String({
    description: `The result to apply: a whole number from 1 to ${MOST_RESULT_ID}`,
    pattern: '^[0-9]+$',
    examples: ['42'],
  }),
});

const fragment = (description: string) => ({
  description,
  content: { 'text/html': { schema: Type.String({ description: 'A piece of HTML' }) } },
});

export function routeRecommendations(app: HttpServer, { db }: { db: Database }): void {
  app.route({
    method: 'POST',
    url: '/api/v1/services/:service_id/recommend',
    schema: {
      summary: 'Ask for a recommendation of limits',
      description: 'While one is pending, no second request is made. The text says what came of it.',
      tags: ['Service settings'],
      params: ServicePath,
      response: {
        200: fragment('Queued, already pending, or not allowed'),
        ...errors(400, 401, 413, 422, 500, 503),
      },
    },
    handler: async (request, reply) => {
      const serviceId = request.params.service_id as ServiceId;
      const requested = await db.transaction((tx) =>
        recommend(tx, requesterOf(request), { serviceId }, request.now),
      );
      const outcome = requested.ok ? 'queued' : requested.refusal;
      const next = requested.ok ? 'polls' : afterRefusal(requested.refusal);
      return answerMessage(reply, serviceId, RECOMMEND_TEXTS[outcome](serviceId), next);
    },
  });

  app.route({
    method: 'GET',
    url: '/api/v1/services/:service_id/recommendation',
    schema: {
      summary: 'Read the recommendation of a service',
      description: 'While it is pending, ask every 20 seconds.',
      tags: ['Service settings'],
      params: ServicePath,
      response: {
        200: fragment('Nothing requested, pending, failed, completed, applied, or not allowed'),
        ...errors(401, 422, 500, 503),
      },
    },
    handler: async (request, reply) => {
      const serviceId = request.params.service_id as ServiceId;
      const read = await readRecommendation(db, requesterOf(request), serviceId);
      if (!read.ok) return answerMessage(reply, serviceId, READ_TEXTS[read.refusal], 'ends');
      const isPage = wantsFragment(request);
      const reader = isPage ? readerOf(request) : { ...readerOf(request), language: english };
      const html = renderFragment(h(RecommendationPanel, toPanel(read.value, reader)), reader.language);
      // Only a page asks with that header: programs read English, with plain signs.
      return answerFragment(reply, isPage ? html : html.replaceAll('−', '-'));
    },
  });

  app.route({
    method: 'POST',
    url: '/api/v1/services/:service_id/apply-recommendation',
    schema: {
      summary: 'Apply a recommendation',
      description:
        'Replaces the limits of the recommended channel with the proposed bands. All acknowledgements of the service end, and its alarm state is judged again at once.',
      tags: ['Service settings'],
      consumes: FORM_TYPES,
      params: ServicePath,
      body: ApplyForm,
      response: {
        200: fragment('Applied, refused, or not allowed'),
        ...errors(400, 401, 413, 422, 500, 503),
      },
    },
    handler: async (request, reply) => {
      const serviceId = request.params.service_id as ServiceId;
      const resultId = readResultId(request.body.result_id);
      const applied = await db.transaction((tx) =>
        applyRecommendation(tx, requesterOf(request), { serviceId, resultId }, request.now),
      );
      if (!applied.ok) {
        const { refusal } = applied;
        return answerMessage(reply, serviceId, APPLY_TEXTS[refusal], afterRefusal(refusal));
      }
      const text = `✓ Applied ${applied.value} band(s) from AI rec. Refresh the page to see the new limits.`;
      return answerMessage(reply, serviceId, text, 'ends');
    },
  });
}

const answerMessage = (reply: FastifyReply, serviceId: ServiceId, text: string, next: Next): FastifyReply =>
  answerFragment(reply, renderFragment(h(Message, { serviceId, text, next })));

/** Who may see the service gets back to its recommendation. */
const afterRefusal = (refusal: RecommendRefusal | ApplyRefusal): Next => {
  if (refusal === 'already_pending') return 'polls';
  return refusal === 'no_role' || refusal === 'no_such_service' ? 'ends' : 'offers_recommendation';
};
