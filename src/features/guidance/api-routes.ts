// What to do at a unit, for programs: beside the contract, with its words for errors and its forms.
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import {
  ALL_GUIDANCE_FIELDS,
  findGuidance,
  GUIDANCE_FIELDS,
  type Guidance,
  type GuidanceField,
  NO_GUIDANCE,
  sayGuidanceFault,
  valuesOf,
} from '../../domain/guidance/guidance.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { english } from '../../domain/language/english.ts';
import { changeUnitGuidance, type UnitGuidanceRefusal } from '../../engine/guidance/change-unit-guidance.ts';
import { readSaidGuidance } from '../../engine/guidance/guidance-rows.ts';
import { requesterOf } from '../../engine/requests/requester-of.ts';
import type { Database, ReadDatabase } from '../../platform/db/database.ts';
import { answerDetail, errors } from '../../platform/http/answers.ts';
import { id, text } from '../../platform/http/fields.ts';
import { orNull } from '../../platform/http/schemas.ts';
import { FORM_TYPES, type HttpServer } from '../../platform/http/server.ts';
import type { Unit } from './queries.ts';
import { readTyped } from './typed-guidance.ts';
import { findUnit } from './unit-routes.ts';

const URL = '/api/v1/services/:service_id/what-to-do';
const UnitPath = Type.Object({ service_id: id('Service id') });

const said = (description: string) => orNull(Type.String({ description }));

const Said = Type.Object({
  what_to_do: said('Markdown: paragraphs, lists, numbered steps, bold, links by https and tel'),
  contents: said('What is inside'),
  owner: said('Whose it is'),
  value_class: said('`A`, `B` or `C`, the worst to lose first'),
  phones: said('Whom to call: one on each line, such as `Porter: +49 30 1234`'),
});

const WhatToDo = Type.Object({
  service_id: Type.Integer(),
  template: said('Which kind of equipment it is'),
  own: Said,
  in_force: Said,
});

const optional = (description: string) => Type.Optional(text(description));
const Form = Type.Object({
  template: optional(
    'Which kind of equipment it is, such as `freezer-80`; blank for none, left out: as it is',
  ),
  what_to_do: optional(`Markdown, at most ${GUIDANCE_FIELDS.whatToDo.most} characters`),
  contents: optional(`At most ${GUIDANCE_FIELDS.contents.most} characters`),
  owner: optional(`At most ${GUIDANCE_FIELDS.owner.most} characters`),
  value_class: optional('`A`, `B` or `C`'),
  phones: optional('One on each line, such as `Porter: +49 30 1234`'),
});

const ANSWERS: Record<UnitGuidanceRefusal & string, [status: number, detail: string]> = {
  no_role: [403, 'Not authorized'],
  no_such_service: [404, 'Service not found'],
  not_administrator: [403, 'Organization administrator role required to edit this service'],
};

export function routeGuidanceApi(app: HttpServer, { db }: { db: Database }): void {
  app.route({
    method: 'GET',
    url: URL,
    schema: {
      summary: 'What to do at a service',
      description:
        'What is said of the service itself, and what holds: where it says nothing its template does, else its location.',
      tags: ['Service settings'],
      params: UnitPath,
      response: { 200: WhatToDo, ...errors(401, 404, 422, 500, 503) },
    },
    handler: async (request, reply) => {
      const requester = requesterOf(request);
      if (requester.accountId === null) return answerDetail(reply, 401, 'Authentication required');
      const unit = await findUnit(db, requester, request.params.service_id as ServiceId);
      return unit ? describe(db, unit) : answerDetail(reply, ...ANSWERS.no_such_service);
    },
  });

  app.route({
    method: 'PUT',
    url: URL,
    schema: {
      summary: 'Replace what to do at a service',
      description:
        'All that is said of the service itself: a field that is left out or blank says nothing from then on.',
      tags: ['Service settings'],
      consumes: FORM_TYPES,
      params: UnitPath,
      body: Form,
      response: { 200: WhatToDo, ...errors(400, 401, 403, 404, 413, 422, 500, 503) },
    },
    handler: async (request, reply) => {
      const requester = requesterOf(request);
      if (requester.accountId === null) return answerDetail(reply, 401, 'Authentication required');
      const serviceId = request.params.service_id as ServiceId;
      const typed = { ...readTyped(request.body), template: request.body.template };
      const changed = await db.transaction((tx) =>
        changeUnitGuidance(tx, requester, { serviceId, typed }, request.now),
      );
      if (!changed.ok) return refuseChange(reply, changed.refusal);
      const unit = await findUnit(db, requester, serviceId);
      return unit ? describe(db, unit) : answerDetail(reply, ...ANSWERS.no_such_service);
    },
  });
}

function refuseChange(reply: FastifyReply, refusal: UnitGuidanceRefusal): FastifyReply {
  if (typeof refusal === 'string') return answerDetail(reply, ...ANSWERS[refusal]);
  const { field, fault } = refusal;
  const loc = ['body', GUIDANCE_FIELDS[field].word];
  const msg = sayGuidanceFault(refusal, english);
  return answerDetail(reply, 422, [{ type: fault, loc, msg, input: null }]);
}

async function describe(db: ReadDatabase, { id: serviceId, template }: Unit) {
  const levels = (await readSaidGuidance(db, [serviceId])).get(serviceId);
  return {
    service_id: serviceId,
    template,
    own: toWords(levels?.service ?? NO_GUIDANCE),
    in_force: toWords(levels ? valuesOf(findGuidance(levels)) : NO_GUIDANCE),
  };
}

type Word = (typeof GUIDANCE_FIELDS)[GuidanceField]['word'];

const toWords = (guidance: Guidance) =>
  Object.fromEntries(
    ALL_GUIDANCE_FIELDS.map((field) => [GUIDANCE_FIELDS[field].word, guidance[field]]),
  ) as Record<Word, string | null>;
