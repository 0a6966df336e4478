// What is said of a unit for the day on which it fails, for programs: beside the contract, with its words for errors.
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { roleIn } from '../../domain/accounts/requester.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { english } from '../../domain/language/english.ts';
import { PREFERRED, sayPreferredFault } from '../../domain/rescue/preferred-refuges.ts';
import { ALL_TEMPERATURE_CLASSES, RESCUE_FIELDS, sayRescueFault } from '../../domain/rescue/rescue.ts';
import { requesterOf } from '../../engine/requests/requester-of.ts';
import { changeRescue, type RescueRefusal } from '../../engine/rescue/change-rescue.ts';
import { NOTHING_SAID, type StoredRescue, selectRescue } from '../../engine/rescue/rescue-rows.ts';
import type { Database } from '../../platform/db/database.ts';
import { answerDetail, errors } from '../../platform/http/answers.ts';
import { id, text } from '../../platform/http/fields.ts';
import { orNull } from '../../platform/http/schemas.ts';
import { FORM_TYPES, type HttpServer } from '../../platform/http/server.ts';
import { selectUnit } from './queries.ts';
import { readPreferredIds, readTyped } from './typed-rescue.ts';

const URL = '/api/v1/services/:service_id/rescue';
const UnitPath = Type.Object({ service_id: id('Service id') });
const CLASSES = ALL_TEMPERATURE_CLASSES.map((name) => `\`${name}\``).join(', ');

const count = (description: string) => orNull(Type.Integer({ description }));
const Said = Type.Object({
  service_id: Type.Integer(),
  temperature_class: orNull(Type.String({ description: CLASSES })),
  racks: count('What is inside'),
  free_racks: count('What it can take in for others; null: it is no refuge'),
  rescue_order: count('1 is emptied first'),
  danger_value: orNull(Type.Number({ description: 'What is inside suffers from here on' })),
  preferred_refuges: Type.Array(Type.Integer(), {
    description: 'Services that come before all others that are as cold, in this order',
  }),
});

const optional = (description: string) => Type.Optional(text(description));
const Form = Type.Object({
  temperature_class: optional(CLASSES),
  racks: optional('A whole number'),
  free_racks: optional('A whole number; blank: it is no refuge'),
  rescue_order: optional('A whole number'),
  danger_value: optional('A number'),
  preferred_refuges: optional('Ids of services, such as `12, 7`'),
});

const ANSWERS: Record<RescueRefusal & string, [status: number, detail: string]> = {
  no_role: [403, 'Not authorized'],
  no_such_service: [404, 'Service not found'],
  not_administrator: [403, 'Organization administrator role required to edit this service'],
};

export function routeRescueApi(app: HttpServer, { db }: { db: Database }): void {
  const describe = async (serviceId: ServiceId) =>
    toWords(serviceId, (await selectRescue(db, serviceId)) ?? NOTHING_SAID);

  app.route({
    method: 'GET',
    url: URL,
    schema: {
      summary: 'What is said of a service for the day on which it fails',
      tags: ['Service settings'],
      params: UnitPath,
      response: { 200: Said, ...errors(401, 404, 422, 500, 503) },
    },
    handler: async (request, reply) => {
      const requester = requesterOf(request);
      if (requester.accountId === null) return answerDetail(reply, 401, 'Authentication required');
      const unit = await selectUnit(db, request.params.service_id as ServiceId);
      return unit && !unit.isArchived && roleIn(requester, unit.organizationId)
        ? describe(unit.id)
        : answerDetail(reply, ...ANSWERS.no_such_service);
    },
  });

  app.route({
    method: 'PUT',
    url: URL,
    schema: {
      summary: 'Replace what is said of a service for the day on which it fails',
      description: 'A field that is left out or blank says nothing from then on.',
      tags: ['Service settings'],
      consumes: FORM_TYPES,
      params: UnitPath,
      body: Form,
      response: { 200: Said, ...errors(400, 401, 403, 404, 413, 422, 500, 503) },
    },
    handler: async (request, reply) => {
      const requester = requesterOf(request);
      if (requester.accountId === null) return answerDetail(reply, 401, 'Authentication required');
      const serviceId = request.params.service_id as ServiceId;
      const typed = readTyped(request.body);
      const preferred = readPreferredIds(request.body[PREFERRED.word]);
      const changed = await db.transaction((tx) =>
        changeRescue(tx, requester, { serviceId, typed, preferred }, request.now),
      );
      return changed.ok ? describe(serviceId) : refuseChange(reply, changed.refusal);
    },
  });
}

function refuseChange(reply: FastifyReply, refusal: RescueRefusal): FastifyReply {
  if (typeof refusal === 'string') return answerDetail(reply, ...ANSWERS[refusal]);
  const [word, msg] =
    refusal.field === 'preferred'
      ? [PREFERRED.word, sayPreferredFault(refusal, english)]
      : [RESCUE_FIELDS[refusal.field].word, sayRescueFault(refusal, english)];
  return answerDetail(reply, 422, [{ type: refusal.fault, loc: ['body', word], msg, input: null }]);
}

const toWords = (serviceId: ServiceId, rescue: StoredRescue) => ({
  service_id: serviceId,
  temperature_class: rescue.temperatureClass,
  racks: rescue.racks,
  free_racks: rescue.freeRacks,
  rescue_order: rescue.rescueOrder,
  danger_value: rescue.dangerValue,
  preferred_refuges: rescue.preferredIds,
});
