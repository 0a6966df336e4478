// The page of downtimes that come again.

import { roleIn } from '../../domain/accounts/requester.ts';
import { canOperate } from '../../domain/accounts/role.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { message } from '../../domain/language/message.ts';
import { type Sayable, sayOne } from '../../domain/language/sayable.ts';
import type { Language } from '../../domain/language/speak.ts';
import { sayMost } from '../../domain/mosts.ts';
import { previewSeries } from '../../domain/quiet-times/series.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { type ActQuestion, AskPage } from '../../engine/pages/ask.tsx';
import { readPageId, routePage } from '../../engine/pages/page-routes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import {
  readOneSeries,
  readSeries as readStored,
  type StoredSeries,
} from '../../engine/quiet-times/series.ts';
import type { Database } from '../../platform/db/database.ts';
import { rehearse } from '../../platform/db/rehearse.ts';
import { showTime } from '../../platform/html/time.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { loadForm } from './page-model.ts';
import { readSeries, type SeriesRefusal, scheduleSeries, stopSeries } from './schedule-series.ts';
import { emptySeries, readSeriesValues, type SeriesFault, type SeriesValues } from './series-form.tsx';
import { SERIES, type SeriesModel, SeriesPage } from './series-view.tsx';

/** null: the page is not found. */
const FAULTS = {
  no_such_service: { field: 'service_id', text: message('Choose a service.') },
  outside_organization: { field: 'service_id', text: message('Choose a service.') },
  viewer_only: { field: '', text: message('Operators and administrators plan downtimes.') },
  no_reason: { field: 'reason', text: message('Say why: it is shown with each of them.') },
  not_a_day: { field: 'first_day', text: message('Write both days like 2026-12-24.') },
  not_a_time: { field: 'start', text: message('Write the time like 03:00.') },
  no_rule: { field: 'interval', text: message('Choose every 1 to 99 days, weeks or months.') },
  not_minutes: { field: 'duration', text: message('Choose how long it lasts.') },
  until_out_of_range: {
    field: 'until_day',
    text: message('Choose a last day that is after the first, not over already, and within a year.'),
  },
  too_many_of_service: {
    field: 'service_id',
    text: (language: Language) => sayMost('serviceSeries', language),
  },
  too_many_of_organization: {
    field: 'service_id',
    text: (language: Language) => sayMost('series', language),
  },
  no_such_series: null,
} as const satisfies Record<SeriesRefusal, { field: string; text: Sayable } | null>;

const sayFault = (refusal: SeriesRefusal, language: Language): SeriesFault | null => {
  const fault = FAULTS[refusal];
  return fault && { field: fault.field, text: sayOne(fault.text, language) };
};

const DONE = {
  planned: message('Planned. What comes within 14 days is in the list of downtimes already.'),
  ended: message('The series has ended: what was to come is cancelled.'),
} as const;

const sayDone = (done: string | undefined, { say }: Language): string | null =>
  done !== undefined && Object.hasOwn(DONE, done) ? say(DONE[done as keyof typeof DONE]) : null;

const PREVIEWED = 5;

function* showSeries(
  stored: readonly StoredSeries[],
  visitor: Visitor,
): Generator<void, SeriesModel['series']> {
  const shown: SeriesModel['series'] = [];
  for (const one of stored) {
    const next = previewSeries(one, visitor.now, PREVIEWED)
      .filter(({ day }) => !one.skipped.includes(day))
      .map(({ startAt }) => showTime(startAt, visitor));
    shown.push({ ...one, next, canEnd: canOperate(roleIn(visitor, one.organizationId)) });
    yield;
  }
  return shown;
}

export function routeSeriesPages(app: HttpServer, deps: { db: Database; publicUrl: () => URL | null }): void {
  const { db } = deps;

  const show = async (visitor: Visitor, values: SeriesValues, news: Partial<SeriesModel>) => {
    const organizationIds = visitor.memberships.map(({ organizationId }) => organizationId);
    const stored = await readStored(db, organizationIds, visitor.now);
    const search = { search: '', values: { ...EMPTY_SEARCH, service_id: values.service_id } };
    const form = await loadForm(db, visitor, search);
    const series = await inSlices(showSeries(stored, visitor));
    return (
      <SeriesPage
        visitor={visitor}
        services={form?.services ?? null}
        values={values}
        series={series}
        preview={null}
        done={null}
        fault={null}
        {...news}
      />
    );
  };

  routePage(app, deps, {
    method: 'GET',
    url: SERIES,
    show: async ({ reply, visitor, query }) => {
      const values = readSeriesValues(query, emptySeries(visitor));
      const done = sayDone(query.done, visitor.language);
      if (query.preview === undefined) return answerPage(reply, 200, await show(visitor, values, { done }));
      const series = readSeries(values, visitor.timezone, visitor.now);
      if (!series.ok)
        return answerPage(
          reply,
          422,
          await show(visitor, values, { fault: sayFault(series.refusal, visitor.language) }),
        );
      const preview = previewSeries(series.value, visitor.now, PREVIEWED).map(
        ({ startAt, endAt, isMoved }) => ({
          from: showTime(startAt, visitor),
          until: showTime(endAt, visitor),
          isMoved,
        }),
      );
      return answerPage(reply, 200, await show(visitor, values, { preview }));
    },
  });

  routePage(app, deps, {
    method: 'POST',
    url: SERIES,
    show: async ({ reply, visitor, form }) => {
      const values = readSeriesValues(form, emptySeries(visitor));
      const serviceId = readPageId<ServiceId>(values.service_id) ?? (0 as ServiceId);
      const planned = await db.transaction((tx) =>
        scheduleSeries(tx, visitor, { serviceId, values }, visitor.now),
      );
      if (planned.ok) return reply.redirect(`${SERIES}?done=planned`, 303);
      const status = planned.refusal === 'viewer_only' ? 403 : 422;
      return answerPage(
        reply,
        status,
        await show(visitor, values, { fault: sayFault(planned.refusal, visitor.language) }),
      );
    },
  });

  routePage(app, deps, {
    method: 'GET',
    url: `${SERIES}/:series_id/end`,
    show: async ({ reply, visitor, params }) => {
      const { language, now } = visitor;
      const seriesId = readPageId(params.series_id) ?? 0;
      const stopped = await rehearse(db, async (tx) => {
        const series = await readOneSeries(tx, seriesId);
        const ended = await stopSeries(tx, visitor, { seriesId }, now);
        return ended.ok && series ? { series, planned: ended.value } : null;
      });
      if (!stopped) return answerErrorPage(reply, 404);
      const question = askEnd(stopped, language);
      const asked = { question, losses: [], action: `${SERIES}/${seriesId}/end`, form: {}, back: SERIES };
      return answerPage(reply, 200, <AskPage visitor={visitor} current="/downtimes" {...asked} />);
    },
  });

  routePage(app, deps, {
    method: 'POST',
    url: `${SERIES}/:series_id/end`,
    show: async ({ reply, visitor, params }) => {
      const seriesId = readPageId(params.series_id) ?? 0;
      const ended = await db.transaction((tx) => stopSeries(tx, visitor, { seriesId }, visitor.now));
      if (ended.ok) return reply.redirect(`${SERIES}?done=ended`, 303);
      if (ended.refusal !== 'viewer_only') return answerErrorPage(reply, 404);
      return answerPage(
        reply,
        403,
        await show(visitor, emptySeries(visitor), { fault: sayFault('viewer_only', visitor.language) }),
      );
    },
  });
}

const askEnd = (
  { series, planned }: { series: StoredSeries; planned: number },
  { say }: Language,
): ActQuestion => ({
  act: say('End the series of {name}', { name: series.serviceName }),
  says: [
    say(
      '{planned, plural, one {# planned downtime is} other {# planned downtimes are}} cancelled, and none comes any more. One that runs now goes on.',
      {
        planned,
      },
    ),
  ],
  canUndo: false,
});

const EMPTY_SEARCH = { start_time: '', duration: '', end_time: '', reason: '' };
