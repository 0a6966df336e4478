import { h } from 'preact';
import { organizationNameIn, type Requester, roleIn } from '../../domain/accounts/requester.ts';
import { canOperate } from '../../domain/accounts/role.ts';
import type { AccountId, ServiceId } from '../../domain/ids.ts';
import type { Result } from '../../domain/result.ts';
import { type ActRefusal, findActNotice } from '../../domain/words/act-words.ts';
import { listPlace } from '../../domain/words/place.ts';
import { acknowledge } from '../../engine/acts/acknowledge.ts';
import { cannotGo } from '../../engine/acts/cannot-go.ts';
import { handOver } from '../../engine/acts/hand-over.ts';
import { muteByPage } from '../../engine/acts/mute-by-page.ts';
import { takeOver } from '../../engine/acts/take-over.ts';
import { unacknowledge } from '../../engine/acts/unacknowledge.ts';
import { unmute } from '../../engine/acts/unmute.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { showMuteControl } from '../../engine/pages/mute-control.tsx';
import { findWayBack, readPageId, routePage } from '../../engine/pages/page-routes.ts';
import { showDowntimeForm } from '../../engine/pages/schedule-form.tsx';
import { readTaken } from '../../engine/pages/taken-alarm.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { requesterOf } from '../../engine/requests/requester-of.ts';
import type { Database, ReadDatabase, Tx } from '../../platform/db/database.ts';
import { answerFragment, wantsFragment } from '../../platform/html/fragment.ts';
import { renderInPieces } from '../../platform/html/in-pieces.tsx';
import type { FormFields } from '../../platform/http/form-body.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { describeAlarm } from './active-alarm.ts';
import { readAlarmFilter, writeAlarmFilter } from './alarm-filter.ts';
import { loadBoard } from './load-board.ts';
import { selectVisibleService, type VisibleService } from './page-queries.ts';
import { AlarmsPage, Board, PanelPage } from './page-view.tsx';
import { selectAlarm } from './queries.ts';
import { rememberUnwatched } from './remember-unwatched.ts';
import { toRows } from './row-model.ts';
import { TakenPage, takenPath } from './taken-view.tsx';

type CarryOut = (
  tx: Tx,
  requester: Requester,
  wanted: { serviceId: ServiceId; text: string | undefined; form: FormFields },
  now: Date,
) => Promise<Result<unknown, ActRefusal>>;

export interface AlarmPageDeps {
  db: Database;
  publicUrl: () => URL | null;
}

export function routeAlarmPages(app: HttpServer, deps: AlarmPageDeps): void {
  const { db } = deps;
  const countUnwatched = rememberUnwatched(db);

  routePage(app, deps, {
    method: 'GET',
    url: '/',
    show: async ({ request, reply, visitor, query }) => {
      const isMember = visitor.memberships.length > 0;
      const board = isMember
        ? await loadBoard({ db, countUnwatched }, visitor, readAlarmFilter(query))
        : null;
      if (board && wantsFragment(request)) {
        reply.header('cache-control', 'no-store');
        return answerFragment(reply, renderInPieces(h(Board, board), visitor.language));
      }
      return answerPage(
        reply,
        200,
        h(AlarmsPage, { visitor, board, news: findActNotice(query, visitor.language) }),
      );
    },
  });

  routePage(app, deps, {
    method: 'GET',
    url: '/alarms/:service_id',
    show: async ({ reply, visitor, params }) => {
      const service = await findOperable(db, visitor, params.service_id);
      if (!service) return answerErrorPage(reply, 404);
      const mutePanel = await showMuteControl(db, service, visitor);
      const panel = {
        service: { ...service, place: listPlaceOf(visitor, service) },
        mutePanel,
        downtimePanel: showDowntimeForm(service, visitor),
      };
      const record = await selectAlarm(db, service.id);
      const alarm = record && describeAlarm(record, visitor);
      const [row = null] = alarm ? await toRows(db, [alarm], visitor, visitor) : [];
      return answerPage(reply, 200, h(PanelPage, { visitor, alarm: row, ...panel }));
    },
  });

  routePage(app, deps, {
    method: 'GET',
    url: '/alarms/:service_id/taken',
    show: async ({ reply, visitor, params, query }) => {
      const service = await findOperable(db, visitor, params.service_id);
      if (!service) return answerErrorPage(reply, 404);
      const { id: serviceId, organizationId } = service;
      const record = await selectAlarm(db, serviceId);
      const alarm = record && describeAlarm(record, visitor);
      const [row = null] = alarm ? await toRows(db, [alarm], visitor, visitor) : [];
      const taken = await readTaken(db, { ...visitor, serviceId, organizationId }, visitor.now);
      const place = listPlaceOf(visitor, service);
      return answerPage(
        reply,
        200,
        h(TakenPage, {
          visitor,
          service: { ...service, place },
          alarm: row,
          taken,
          news: findActNotice(query, visitor.language),
        }),
      );
    },
  });

  const verbs: Record<string, CarryOut> = {
    acknowledge: (tx, requester, { serviceId, text }, now) =>
      acknowledge(tx, requester, { serviceId, comment: text }, now),
    unacknowledge,
    'cannot-go': cannotGo,
    'hand-over': (tx, requester, { serviceId, form }, now) =>
      handOver(tx, requester, { serviceId, toId: readPageId<AccountId>(form.to) }, now),
    'take-over': takeOver,
    mute: (tx, requester, { serviceId, form }, now) =>
      muteByPage(tx, requester, { serviceId, reason: form.reason, span: form.minutes }, now),
    unmute,
  };
  for (const [verb, carryOut] of Object.entries(verbs))
    routePage(app, deps, {
      method: 'POST',
      url: `/alarms/:service_id/${verb}`,
      show: async ({ request, reply, params, form }) => {
        const serviceId = readPageId<ServiceId>(params.service_id);
        if (serviceId === null) return answerErrorPage(reply, 404);
        const wanted = { serviceId, text: form.comment ?? form.reason, form };
        const done = await db.transaction((tx) => carryOut(tx, requesterOf(request), wanted, request.now));
        const isHidden = !done.ok && ['no_such_service', 'outside_organization'].includes(done.refusal);
        if (isHidden) return answerErrorPage(reply, 404);
        const news = new URLSearchParams(done.ok ? { done: verb } : { refused: done.refusal });
        const [page = '/', query = ''] = (findWayBack(request, deps) ?? '/').split('?');
        const next = findNextPage(verb, serviceId, page === '/' ? keepFilter(query) : page);
        return reply.redirect(`${next}${next.includes('?') ? '&' : '?'}${news}`, 303);
      },
    });
}

/** Whoever looked at some of the alarms goes on looking at these. */
const keepFilter = (query: string): string =>
  writeAlarmFilter(readAlarmFilter(Object.fromEntries(new URLSearchParams(query))));

/** Of these it matters how the alarm stands then. */
const ABOUT_TAKEN = ['cannot-go', 'hand-over', 'take-over'];

function findNextPage(verb: string, serviceId: ServiceId, page: string): string {
  // The link of a message would acknowledge again what was just undone.
  if (ABOUT_TAKEN.includes(verb) || page.startsWith('/acknowledge/') || page.endsWith('/taken'))
    return takenPath(serviceId);
  // The panel of one alarm was for this step only.
  return page.startsWith('/alarms/') ? '/' : page;
}

const listPlaceOf = (visitor: Visitor, { organizationId, locationName }: VisibleService): string[] =>
  listPlace({ organizationName: organizationNameIn(visitor, organizationId), locationName });

/** null: nothing that the visitor could act on. */
async function findOperable(db: ReadDatabase, visitor: Visitor, text: string | undefined) {
  const serviceId = readPageId<ServiceId>(text);
  if (serviceId === null) return null;
  const organizationIds = visitor.memberships.map(({ organizationId }) => organizationId);
  const service = await selectVisibleService(db, serviceId, organizationIds);
  return service && canOperate(roleIn(visitor, service.organizationId)) ? service : null;
}
