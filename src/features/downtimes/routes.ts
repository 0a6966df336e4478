import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { h } from 'preact';
import { Type } from 'typebox';
import { formatInstant } from '../../domain/instant.ts';
import { listPlace, nameWithPlace } from '../../domain/words/place.ts';
import { cancelDowntime } from '../../engine/acts/cancel-downtime.ts';
import { scheduleDowntime } from '../../engine/acts/schedule-downtime.ts';
import { languageOf } from '../../engine/requests/language-of.ts';
import { readerOf, requesterOf } from '../../engine/requests/requester-of.ts';
import type { Database } from '../../platform/db/database.ts';
import {
  answerFragment,
  jsonOrFragment,
  renderFragment,
  wantsFragment,
} from '../../platform/html/fragment.ts';
import { renderInPieces } from '../../platform/html/in-pieces.tsx';
import { type Reader, showTime } from '../../platform/html/time.tsx';
import { answerDetail, errors } from '../../platform/http/answers.ts';
import { isRequestsFault } from '../../platform/http/errors.ts';
import { id, signedInteger, text } from '../../platform/http/fields.ts';
import { FORM_TYPES, type HttpServer } from '../../platform/http/server.ts';
import { type DowntimeEntry, listDowntimes } from './list-downtimes.ts';
import { CANCEL_ANSWERS, SCHEDULE_ANSWERS } from './refusals.ts';
import { CancelledRow, DowntimeList, type DowntimeListModel } from './views.tsx';

const Timestamp = Type.String({ format: 'date-time' });

const Entry = Type.Object({
  id: Type.Integer(),
  service_id: Type.Integer(),
  service_name: Type.String(),
  start_time: Timestamp,
  end_time: Timestamp,
  reason: Type.String(),
  created_by_user_id: Type.Integer(),
  created_by_name: Type.String({ description: '`Unknown` when the account no longer exists' }),
  created_at: Timestamp,
});

const FORMAT =
  '`YYYY-MM-DD`, `YYYY-MM-DDTHH:MM` or `YYYY-MM-DDTHH:MM:SS`, a time optionally followed by `Z` or `+HH:MM`. Without an offset it is read in your profile timezone';

const ScheduleForm = Type.Object({
  service_id: signedInteger('Service id'),
  start_time: Type.String({ description: `${FORMAT}. May be in the past`, examples: ['2026-11-15T22:00'] }),
  end_time: Type.String({
    description: `${FORMAT}. After the start, and in the future`,
    examples: ['2026-11-16T02:00'],
  }),
  reason: text('Why; not blank'),
});

const Cancelled = Type.Object({ status: Type.Literal('cancelled'), id: Type.Integer() });

const toJson = (downtime: DowntimeEntry) => ({
  id: downtime.id,
  service_id: downtime.serviceId,
  service_name: downtime.serviceName,
  start_time: formatInstant(downtime.startAt),
  end_time: formatInstant(downtime.endAt),
  reason: downtime.reason,
  created_by_user_id: downtime.createdById,
  created_by_name: downtime.createdByName ?? 'Unknown',
  created_at: formatInstant(downtime.createdAt),
});

const toView = (downtimes: DowntimeEntry[], reader: Reader): DowntimeListModel => ({
  timeZone: reader.timezone,
  rows: downtimes.map(({ startAt, endAt, ...downtime }) => ({
    ...downtime,
    fullName: nameWithPlace(downtime.serviceName, downtime),
    place: listPlace(downtime),
    start: showTime(startAt, reader),
    end: showTime(endAt, reader),
    overlap: null,
  })),
});

/** What fails unexpectedly has words of its own here; what the request got wrong is answered like everywhere else. */
const failWith = (detail: string) => (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
  if (isRequestsFault(error)) throw error;
  request.log.error({ err: error }, 'request failed');
  return answerDetail(reply, 500, detail);
};

export function routeDowntimes(app: HttpServer, { db }: { db: Database }): void {
  app.route({
    method: 'GET',
    url: '/api/v1/downtimes',
    schema: {
      summary: 'List the windows that are active now, newest start first',
      tags: ['Downtimes'],
      response: {
        200: jsonOrFragment('Active windows on services of your organizations', Type.Array(Entry)),
        ...errors(401, 500, 503),
      },
    },
    handler: async (request, reply) => {
      const { signedIn, now } = request;
      if (!signedIn) return answerDetail(reply, 401, 'Authentication required');
      const downtimes = await listDowntimes(db, signedIn, now);
      if (!wantsFragment(request)) return downtimes.map(toJson);
      const reader = readerOf(request);
      const list = h(DowntimeList, toView(downtimes, reader));
      return answerFragment(reply, renderInPieces(list, reader.language));
    },
  });

  app.route({
    method: 'POST',
    url: '/api/v1/downtimes',
    schema: {
      summary: 'Schedule a window for a service',
      description: 'A start in the past makes it active at once. Windows of one service may overlap.',
      tags: ['Downtimes'],
      consumes: FORM_TYPES,
      body: ScheduleForm,
      response: {
        303: Type.Null({ description: 'Scheduled; `Location` is the page of the service' }),
        ...errors(400, 401, 403, 409, 413, 422, 500),
      },
    },
    errorHandler: failWith('Failed to schedule downtime'),
    handler: async (request, reply) => {
      const { service_id, start_time, end_time, reason } = request.body;
      const wanted = { serviceId: service_id, startTime: start_time, endTime: end_time, reason };
      const scheduled = await db.transaction((tx) =>
        scheduleDowntime(tx, requesterOf(request), wanted, request.now),
      );
      if (!scheduled.ok) {
        const [status, detail] = SCHEDULE_ANSWERS[scheduled.refusal];
        return answerDetail(reply, status, detail);
      }
      return reply.redirect(`/services/${scheduled.value}`, 303);
    },
  });

  app.route({
    method: 'DELETE',
    url: '/api/v1/downtimes/:downtime_id',
    schema: {
      summary: 'Cancel a window, active or future',
      description: 'It is deleted at once. Any operator of the organization may cancel any window.',
      tags: ['Downtimes'],
      params: Type.Object({ downtime_id: id('Downtime id') }),
      response: {
        200: jsonOrFragment('Cancelled', Cancelled),
        ...errors(400, 401, 403, 404, 413, 422, 500),
      },
    },
    errorHandler: failWith('Failed to cancel downtime'),
    handler: async (request, reply) => {
      const { downtime_id } = request.params;
      const cancelled = await db.transaction((tx) =>
        cancelDowntime(tx, requesterOf(request), { downtimeId: downtime_id }, request.now),
      );
      if (!cancelled.ok) {
        const [status, detail] = CANCEL_ANSWERS[cancelled.refusal];
        return answerDetail(reply, status, detail);
      }
      if (wantsFragment(request))
        return answerFragment(reply, renderFragment(h(CancelledRow, cancelled.value), languageOf(request)));
      return { status: 'cancelled' as const, id: cancelled.value.id };
    },
  });
}
