import { h } from 'preact';
import { canAdminister } from '../../domain/accounts/role.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { message } from '../../domain/language/message.ts';
import { type DrillRefusal, readDrillForecast } from '../../engine/outbox/tell-drill.ts';
import { TOO_MANY_UNPROVED } from '../../engine/outbox/unproved-mail.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { type PageDeps, readPageId, routePage } from '../../engine/pages/page-routes.ts';
import { requesterOf } from '../../engine/requests/requester-of.ts';
import type { AdministerRefusal } from '../../engine/services/administer-service.ts';
import type { Database } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { startDrill } from './drill.ts';
import { readDrills, showExpected } from './drill-model.ts';
import { DrillPage } from './drill-view.tsx';
import { findService, nameService, type SignedInVisit } from './visible-service.ts';

const DRILLS_SHOWN = 10;
const REFRESH_SECONDS = 5;
const URL_PATTERN = '/services/:service_id/drill';

/** null: the page is not found. */
const FAULTS = {
  no_role: null,
  no_such_service: null,
  not_administrator: null,
  no_group: message(
    'This service has no notification group, so nobody would be notified of a real alarm either. Choose one in its settings.',
  ),
  nobody_in_group: message(
    'There is nobody in the group of this service who is notified at this hour, so a drill reaches nobody. A real alarm would go to the administrators, as the last resort. Add somebody first.',
  ),
  nobody_at_once: message(
    'Nobody is notified at once at this hour. Let the drill go on while nobody acknowledges, as a real alarm would.',
  ),
  too_many_unproved: TOO_MANY_UNPROVED,
} as const satisfies Record<AdministerRefusal | DrillRefusal, string | null>;

export function routeDrillPages(app: HttpServer, deps: PageDeps & { db: Database }): void {
  const { db } = deps;

  const showDrills = async (visit: SignedInVisit, fault: string | null = null) => {
    const { request, reply, visitor } = visit;
    const found = await findService(db, visit);
    if (!found || !canAdminister(found.role)) return answerErrorPage(reply, 404);
    const { id: serviceId } = found.service;
    const reader = { ...visitor, now: request.now, role: found.role };
    const { drills, isWatched } = await readDrills(db, serviceId, DRILLS_SHOWN, reader);
    const forecast = await readDrillForecast(db, serviceId, request.now);
    const reaches = forecast?.told.some(({ recipients }) => recipients.length > 0);
    const page = h(DrillPage, {
      visitor,
      serviceId,
      serviceName: nameService(visitor, found.service),
      expected: forecast && reaches ? await showExpected(db, forecast, reader) : null,
      obstacle: visitor.language.say(FAULTS[forecast ? 'nobody_in_group' : 'no_group']),
      drills,
      fault,
      // After a refused form a refresh would ask whether to send it again.
      refreshSeconds: isWatched && fault === null ? REFRESH_SECONDS : undefined,
    });
    return answerPage(reply, fault === null ? 200 : 409, page);
  };

  routePage(app, deps, { method: 'GET', url: URL_PATTERN, show: (visit) => showDrills(visit) });

  routePage(app, deps, {
    method: 'POST',
    url: URL_PATTERN,
    show: async (visit) => {
      const { request, reply, params, form } = visit;
      const serviceId = readPageId<ServiceId>(params.service_id);
      if (serviceId === null) return answerErrorPage(reply, 404);
      const started = await db.transaction((tx) =>
        startDrill(tx, requesterOf(request), { serviceId, climbs: form.climb === 'yes' }, request.now),
      );
      if (started.ok) return reply.redirect(`/services/${serviceId}/drill`, 303);
      const fault = FAULTS[started.refusal];
      return fault === null
        ? answerErrorPage(reply, 404)
        : showDrills(visit, visit.visitor.language.say(fault));
    },
  });
}
