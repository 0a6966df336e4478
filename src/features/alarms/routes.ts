import type { FastifyRequest } from 'fastify';
import { h } from 'preact';
import { Type } from 'typebox';
import type { ServiceId } from '../../domain/ids.ts';
import { formatInstant } from '../../domain/instant.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { type Acknowledgement, type AcknowledgeRefusal, acknowledge } from '../../engine/acts/acknowledge.ts';
import { type UnacknowledgeRefusal, unacknowledge } from '../../engine/acts/unacknowledge.ts';
import { readerOf, requesterOf } from '../../engine/requests/requester-of.ts';
import { answerOperationFailed, answerSilently } from '../../engine/requests/silent-failure.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import {
  answerFragment,
  jsonOrFragment,
  renderFragment,
  wantsFragment,
} from '../../platform/html/fragment.ts';
import { renderInPieces } from '../../platform/html/in-pieces.tsx';
import { answerDetail, errors } from '../../platform/http/answers.ts';
import { answerTagged } from '../../platform/http/entity-tag.ts';
import { isInt4, signedInteger, text } from '../../platform/http/fields.ts';
import { FORM_TYPES, type HttpServer } from '../../platform/http/server.ts';
import { describeAlarm } from './active-alarm.ts';
import { type ListRefusal, listAlarms } from './list-alarms.ts';
import { selectAlarm } from './queries.ts';
import { rememberLists } from './remember-lists.ts';
import { toRows } from './row-model.ts';
import { AcknowledgementResult, ActiveAlarmEntry, UnacknowledgeResult } from './schemas.ts';
import { AlarmList, AlarmRow } from './views.tsx';

type Answer = [status: number, detail: string];

/** Contract, Errors. */
const LIST_ANSWERS: Record<ListRefusal, Answer> = {
  anonymous: [401, 'Authentication required'],
};

/** Contract, Alarms. */
const ACKNOWLEDGE_ANSWERS: Record<AcknowledgeRefusal, Answer> = {
  no_such_service: [404, 'Alarm not found or already acknowledged'],
  outside_organization: [403, 'Not authorized for this service'],
  viewer_only: [403, 'Operator role or higher required for this action'],
  no_active_alarm: [409, 'No active alarm to acknowledge for this service'],
  already_acknowledged: [409, 'Alarm already acknowledged at this severity'],
};

const UNACKNOWLEDGE_ANSWERS: Record<UnacknowledgeRefusal, Answer> = {
  no_such_service: [404, 'Alarm not found or already acknowledged'],
  outside_organization: [403, 'Not authorized for this service'],
  viewer_only: [403, 'Operator role or higher required for this action'],
  nothing_to_remove: [409, 'No acknowledgement to remove'],
};

const ServicePath = Type.Object({ service_id: signedInteger('Service id') });

const AcknowledgeForm = Type.Object({ comment: Type.Optional(text('Free text, shown in the audit log')) });

const toResult = ({ id, serviceId, severity, comment, by, at }: Acknowledgement) => ({
  id,
  service_id: serviceId,
  service_name: `Service ${serviceId}`,
  severity: 'acknowledged' as const,
  message: comment ?? 'Acknowledged',
  triggered_at: formatInstant(at),
  acknowledged: true as const,
  acknowledged_by: by,
  acknowledged_at: formatInstant(at),
  acknowledged_severity: severity,
});

export function routeAlarms(app: HttpServer, { db }: { db: Database }): void {
  const readList = rememberLists(db);

  /** The verb, and for htmx the row it leaves behind, in one transaction: what cannot be shown was not done. */
  const carryOut = <Value, Refusal>(
    request: FastifyRequest,
    serviceId: ServiceId,
    verb: (tx: Tx) => Promise<Result<Value, Refusal>>,
  ): Promise<Result<{ done: Value; row: string | null }, Refusal>> =>
    db.transaction(async (tx) => {
      const outcome = await verb(tx);
      if (!outcome.ok) return outcome;
      const row = wantsFragment(request) ? await renderRow(tx, request, serviceId) : null;
      return ok({ done: outcome.value, row });
    });

  app.route({
    method: 'GET',
    url: '/api/v1/alarms',
    schema: {
      summary: 'List active alarms',
      description:
        'Of all services in your organizations, except archived ones and those in downtime. Critical first, then warning, then stale; within a severity the most recently triggered first. Scripts that poll send the `ETag` of the last answer as `If-None-Match`.',
      tags: ['Alarms'],
      response: {
        200: jsonOrFragment('Active alarms, empty when all is well', Type.Array(ActiveAlarmEntry)),
        304: Type.Null({ description: '`If-None-Match` has the `ETag` of this list: nothing has changed' }),
        ...errors(401, 500, 503),
      },
    },
    handler: async (request, reply) => {
      const requester = requesterOf(request);
      if (wantsFragment(request)) {
        const listed = await listAlarms(db, requester, request.now);
        if (!listed.ok) return answerDetail(reply, ...LIST_ANSWERS[listed.refusal]);
        const reader = readerOf(request);
        const alarms = await toRows(db, listed.value, requester, reader);
        return answerFragment(reply, renderInPieces(h(AlarmList, { alarms }), reader.language));
      }
      if (requester.accountId === null) return answerDetail(reply, ...LIST_ANSWERS.anonymous);
      return answerTagged(request, reply, await readList(requester, request.now));
    },
  });

  app.route({
    method: 'POST',
    url: '/api/v1/alarms/:service_id/acknowledge',
    schema: {
      summary: 'Acknowledge the alarm of a service at its current severity',
      description: 'Of simultaneous callers the first succeeds and the others get 409.',
      tags: ['Alarms'],
      consumes: FORM_TYPES,
      params: ServicePath,
      body: AcknowledgeForm,
      response: {
        200: jsonOrFragment('The acknowledgement', AcknowledgementResult),
        ...errors(400, 401, 403, 404, 409, 413, 422, 500, 503),
      },
    },
    handler: async (request, reply) => {
      const { params, body, now } = request;
      const serviceId = findServiceId(params.service_id);
      const outcome =
        serviceId === null
          ? refuse('no_such_service')
          : await carryOut(request, serviceId, (tx) =>
              acknowledge(tx, requesterOf(request), { serviceId, comment: body.comment }, now),
            );
      if (!outcome.ok) return answerDetail(reply, ...ACKNOWLEDGE_ANSWERS[outcome.refusal]);
      const { done, row } = outcome.value;
      return row === null ? toResult(done) : answerFragment(reply, row);
    },
  });

  app.route({
    method: 'POST',
    url: '/api/v1/alarms/:service_id/unacknowledge',
    schema: {
      summary: 'Remove the newest active acknowledgement of a service',
      description:
        'A second call removes the next one. Check `status`: an unexpected failure answers 200 too.',
      tags: ['Alarms'],
      params: ServicePath,
      response: {
        200: jsonOrFragment('Removed, or failed unexpectedly', UnacknowledgeResult),
        ...errors(400, 401, 403, 404, 409, 413, 422),
      },
    },
    errorHandler: answerSilently,
    handler: async (request, reply) => {
      const serviceId = findServiceId(request.params.service_id);
      // Contract, Alarms: such an id is answered like an unexpected failure.
      if (serviceId === null) return answerOperationFailed(reply);
      const outcome = await carryOut(request, serviceId, (tx) =>
        unacknowledge(tx, requesterOf(request), { serviceId }, request.now),
      );
      if (!outcome.ok) return answerDetail(reply, ...UNACKNOWLEDGE_ANSWERS[outcome.refusal]);
      const { done, row } = outcome.value;
      return row === null
        ? { status: 'unacknowledged' as const, service_id: done }
        : answerFragment(reply, row);
    },
  });
}

/** null: no service can have this id. */
const findServiceId = (integer: number): ServiceId | null =>
  isInt4(integer) ? (integer as ServiceId) : null;

/** Empty when the service has no alarm any more: htmx then takes the row away. */
async function renderRow(tx: Tx, request: FastifyRequest, serviceId: ServiceId): Promise<string> {
  const record = await selectAlarm(tx, serviceId);
  if (!record) return '';
  const requester = requesterOf(request);
  const reader = readerOf(request);
  const [row] = await toRows(tx, [describeAlarm(record, requester)], requester, reader);
  return row ? renderFragment(h(AlarmRow, row), reader.language) : '';
}
