import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { canAdminister } from '../../domain/accounts/role.ts';
import { findLostLimits, SAVE_FAILED, withPlainSigns } from '../../domain/equipment/edit-form.ts';
import { refuse } from '../../domain/result.ts';
import { findActNotice } from '../../domain/words/act-words.ts';
import { keepListColumns } from '../../engine/accounts/list-columns.ts';
import { editService } from '../../engine/acts/edit-service.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { AskPage, readAskedForm } from '../../engine/pages/ask.tsx';
import { readFirstSteps } from '../../engine/pages/first-steps.tsx';
import { routePage, type Visit } from '../../engine/pages/page-routes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { DoorSigner } from '../../engine/services/doors.ts';
import { nameDownload } from '../../platform/csv.ts';
import type { Database, ReadDatabase } from '../../platform/db/database.ts';
import { answerFragment } from '../../platform/html/fragment.ts';
import { renderInPieces } from '../../platform/html/in-pieces.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { readOver } from './chart/chart-address.ts';
import { RANGE_FAULTS, readRange } from './chart/chart-range.ts';
import { RangeFaultPage } from './chart/range-fault-view.tsx';
import { readChart } from './chart/read-chart.ts';
import { type ClearingFault, changeClearing } from './clearing/change-clearing.ts';
import { ClearingPage } from './clearing/clearing-view.tsx';
import { listJudged } from './clearing/say-clearing.ts';
import { FORMATS, type Format } from './export/layout.ts';
import { readRows, type Unreadable } from './export/read-rows.ts';
import { writeCsv } from './export/write-csv.ts';
import { writeParquet } from './export/write-parquet.ts';
import { askBand } from './limits/ask-band.ts';
import type { RefusedEdit } from './limits/edit-model.ts';
import { selectLimitsInForce } from './limits/queries.ts';
import { chosenColumns } from './list/list-columns.ts';
import { listServices } from './list/list-services.ts';
import { ServiceListPage } from './list/list-view.tsx';
import { readManyNotice } from './list/read-notice.ts';
import { readFilter, writeFilter } from './list/service-filter.ts';
import { routeManyPages } from './many/routes.tsx';
import { routeNotes } from './notes/routes.tsx';
import { PAGE_VERBS } from './page-verbs.ts';
import type { ScheduleFault } from './service-page/downtime-view.tsx';
import { readServicePage, readStanding } from './service-page/page-model.ts';
import { ServiceNow, ServicePage } from './service-page/service-view.tsx';
import { type FoundService, findService } from './shown-service/find-service.ts';
import type { ServicePageParts } from './shown-service/page-parts.ts';
import { routeStickers } from './stickers/sticker-routes.ts';

export interface ServicePageDeps {
  db: Database;
  historyDb: ReadDatabase;
  publicUrl: () => URL | null;
  parts: ServicePageParts;
  signer: DoorSigner;
}

type SignedInVisit = Visit & { visitor: Visitor };

export function routeServicePages(app: HttpServer, deps: ServicePageDeps): void {
  const { db, historyDb, parts } = deps;
  routeManyPages(app, deps);

  routePage(app, deps, {
    method: 'GET',
    url: '/services',
    show: async ({ reply, visitor, query }) => {
      const filter = readFilter(query);
      const list = await listServices(db, visitor, filter);
      const notice = await readManyNotice(db, visitor, query);
      const firstSteps = list.rows.length === 0 ? await readFirstSteps(db, visitor) : null;
      return answerPage(reply, 200, h(ServiceListPage, { visitor, filter, notice, firstSteps, ...list }));
    },
  });

  routePage(app, deps, {
    method: 'POST',
    url: '/services/columns',
    show: async ({ reply, visitor, query, form }) => {
      await db.transaction((tx) => keepListColumns(tx, visitor.accountId, chosenColumns(form)));
      return reply.redirect(writeFilter(readFilter(query)), 303);
    },
  });

  routeStickers(app, deps);
  routeNotes(app, deps);

  /** A page about one service, which is not found unless the visitor may see it. */
  const routeServicePage = (
    method: 'GET' | 'POST',
    path: string,
    show: (visit: SignedInVisit, found: FoundService) => Promise<FastifyReply> | FastifyReply,
  ) =>
    routePage(app, deps, {
      method,
      url: `/services/:service_id${path}`,
      show: async (visit) => {
        const { request, reply, visitor, params } = visit;
        const found = await findService(db, visitor, params.service_id, request.now);
        return found ? show(visit, found) : answerErrorPage(reply, 404);
      },
    });

  /** With the form that was refused as it was typed, if there was one. */
  const showService = async (
    { reply, visitor, query }: SignedInVisit,
    found: FoundService,
    refused: { schedule?: ScheduleFault; edit?: RefusedEdit } = {},
  ) => {
    const { schedule: scheduleFault = null, edit: refusedEdit = null } = refused;
    const page = await readServicePage({ db, historyDb, parts }, visitor, found, { query, refusedEdit });
    const props = { visitor, page, notice: findActNotice(query, visitor.language), scheduleFault };
    return answerPage(reply, scheduleFault || refusedEdit ? 422 : 200, h(ServicePage, props));
  };

  routeServicePage('GET', '', (visit, found) => showService(visit, found));

  routeServicePage('GET', '/now', async ({ reply, visitor }, found) => {
    const standing = await readStanding(db, visitor, found);
    reply.header('cache-control', 'no-store');
    return answerFragment(reply, renderInPieces(h(ServiceNow, standing), visitor.language));
  });

  routeServicePage('GET', '/series', async ({ request, reply, visitor, query }, { service, role }) => {
    const channel = service.channels.find(({ name }) => name === query.channel);
    if (!channel) return answerErrorPage(reply, 404);
    const { now } = request;
    const range = readRange(query, { now, timeZone: visitor.timezone, unlessGiven: '24h' });
    reply.header('cache-control', 'no-store').type('application/json; charset=utf-8');
    if (!range.ok) return reply.code(400).send(JSON.stringify({ detail: RANGE_FAULTS[range.refusal] }));
    return reply.send(
      JSON.stringify(
        await readChart(
          historyDb,
          service,
          { channel, over: readOver(query.over, service.channels, channel), ...range.value },
          { ...visitor, role },
        ),
      ),
    );
  });

  for (const format of FORMATS)
    routeServicePage('GET', `/readings.${format}`, (visit, found) =>
      answerExport(historyDb, visit, found, format),
    );

  for (const [name, verb] of Object.entries(PAGE_VERBS))
    routeServicePage('POST', `/${name}`, async (visit, found) => {
      const { reply, visitor, form } = visit;
      const { id: serviceId } = found.service;
      const done = await db.transaction((tx) => verb(tx, visitor, { serviceId, form }, visitor.now));
      if (done.ok) return reply.redirect(`/services/${serviceId}?done=${name}`, 303);
      if (name === 'schedule-downtime')
        return showService(visit, found, { schedule: { refusal: done.refusal, typed: form } });
      return reply.redirect(`/services/${serviceId}?refused=${done.refusal}`, 303);
    });

  // A form that was refused stands at the address it was sent to: who comes back there, after signing in again for
  // instance, finds the page.
  for (const name of ['edit', 'schedule-downtime'])
    routeServicePage('GET', `/${name}`, ({ reply }, { service }) =>
      reply.redirect(`/services/${service.id}`, 303),
    );

  // What hurts is asked at the address of the act.
  routeServicePage('GET', '/delete-band', async ({ reply, visitor, query }, { service }) => {
    const form = readAskedForm(query);
    const question = form && (await askBand(db, visitor, { service, form }));
    if (!question) return answerErrorPage(reply, 404);
    const path = `/services/${service.id}`;
    const asked = { question, losses: [], action: `${path}/delete-band`, form, back: path };
    return answerPage(reply, 200, h(AskPage, { visitor, current: '/services', ...asked }));
  });

  const showClearing = async (
    { reply, visitor }: SignedInVisit,
    { service, role }: FoundService,
    refused: { field: string; fault: ClearingFault; typed: Record<string, string | undefined> } | null,
  ) => {
    const channels = listJudged(service.channels, await selectLimitsInForce(db, service.id));
    const props = { visitor, service, channels, canAdminister: canAdminister(role), refused };
    return answerPage(reply, refused ? 422 : 200, h(ClearingPage, props));
  };
  routeServicePage('GET', '/clearing', (visit, found) => showClearing(visit, found, null));
  routeServicePage('POST', '/clearing', async (visit, found) => {
    const { reply, visitor, form } = visit;
    const { id: serviceId } = found.service;
    const changed = await db.transaction((tx) =>
      changeClearing(tx, visitor, { serviceId, form }, visitor.now),
    );
    if (changed.ok) return reply.redirect(`/services/${serviceId}?done=clearing#state`, 303);
    const { refusal } = changed;
    if (typeof refusal === 'object') return showClearing(visit, found, { ...refusal, typed: form });
    return reply.redirect(`/services/${serviceId}?refused=${refusal}`, 303);
  });

  routeServicePage('POST', '/edit', async (visit, found) => {
    const { request, reply, visitor } = visit;
    const form = withPlainSigns(visit.form, visitor.language);
    const { id: serviceId } = found.service;
    const edited = await db
      .transaction((tx) => editService(tx, visitor, { serviceId, fields: form }, visitor.now))
      .catch((error) => {
        request.log.error({ err: error }, 'request failed');
        return refuse({ fault: SAVE_FAILED } as const);
      });
    if (edited.ok) {
      const done = findLostLimits(form).length > 0 ? 'edit-partly' : 'edit';
      return reply.redirect(`/services/${serviceId}?done=${done}#state`, 303);
    }
    const { refusal } = edited;
    if (typeof refusal === 'object')
      return showService(visit, found, { edit: { fault: refusal.fault, typed: form } });
    return reply.redirect(`/services/${serviceId}?refused=${refusal}`, 303);
  });
}

const CONTENT_TYPES: Record<Format, string> = {
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
};
/** Few, so that nobody waits for a group to be written. */
const ROWS_OF_A_GROUP = 1_000;

function answerExport(
  db: ReadDatabase,
  { request, reply, visitor, query }: SignedInVisit,
  { service }: FoundService,
  format: Format,
): FastifyReply {
  const range = readRange(
    { ...query, range: undefined },
    {
      now: request.now,
      timeZone: visitor.timezone,
      unlessGiven: '7d',
    },
  );
  if (!range.ok) {
    const fault = { visitor, serviceId: service.id, fault: range.refusal };
    return answerPage(reply, 400, h(RangeFaultPage, fault));
  }
  const isWanted = ({ name }: { name: string }) => !query.channel || name === query.channel;
  const channels = service.channels.filter(isWanted);
  if (query.channel && channels.length === 0) return answerErrorPage(reply, 404);
  const span = { from: range.value.from.getTime(), to: range.value.to.getTime() };
  const damages: Unreadable[] = [];
  const rows = readRows(db, [{ ...service, channels }], span, { onDamage: (damage) => damages.push(damage) });
  const layout = 'of_one_service';
  const chunks =
    format === 'csv'
      ? writeCsv(rows, layout)
      : writeParquet(rows, { layout, rowsAtOnce: ROWS_OF_A_GROUP, damages: () => damages });
  const name = nameDownload('readings', service.name, service.id, format);
  return reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}"`)
    .type(CONTENT_TYPES[format])
    .send(Readable.from(chunks, { objectMode: false }));
}
