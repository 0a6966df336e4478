import { h } from 'preact';
import { canAdminister } from '../../domain/accounts/role.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { judgeOutcomes, type Verdict } from '../../domain/notifications/verdict.ts';
import { describeSpan } from '../../domain/span.ts';
import type { TellRefusal } from '../../engine/outbox/send-test.ts';
import { TOO_MANY_UNPROVED } from '../../engine/outbox/unproved-mail.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { type PageDeps, readPageId, routePage } from '../../engine/pages/page-routes.ts';
import { requesterOf } from '../../engine/requests/requester-of.ts';
import type { AdministerRefusal } from '../../engine/services/administer-service.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Reader, showTime } from '../../platform/html/time.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { startDrill } from './drill.ts';
import { type Drill, selectDrills } from './drill-queries.ts';
import { type DrillModel, DrillPage } from './drill-view.tsx';
import { selectNotificationsById } from './queries.ts';
import { readStepsOfDrills, type StepTaken } from './steps-taken.ts';
import { describeTold, type ToldModel } from './told-model.ts';
import { findService, nameService, type SignedInVisit } from './visible-service.ts';

const DRILLS_SHOWN = 10;
const REFRESH_SECONDS = 5;
/** A drill that nobody answers is looked at no longer than that by itself. */
const WATCHED_MS = 30 * 60_000;
const URL_PATTERN = '/services/:service_id/drill';

/** null: the page is not found. */
const FAULTS: Record<AdministerRefusal | TellRefusal, string | null> = {
  no_role: null,
  no_such_service: null,
  not_administrator: null,
  no_group:
    'This service has no notification group, so nobody would be told of a real alarm either. Choose one in its settings.',
  nobody_in_group:
    'There is nobody in the group of this service, so nobody would be told of a real alarm either. Add somebody first.',
  too_many_unproved: TOO_MANY_UNPROVED,
};

export function routeDrillPages(app: HttpServer, deps: PageDeps & { db: Database }): void {
  const { db } = deps;

  const showDrills = async (visit: SignedInVisit, fault: string | null = null) => {
    const { request, reply, visitor } = visit;
    const found = await findService(db, visit);
    if (!found || !canAdminister(found.role)) return answerErrorPage(reply, 404);
    const { id: serviceId } = found.service;
    const drills = await selectDrills(db, serviceId, DRILLS_SHOWN);
    const records = await selectNotificationsById(
      db,
      drills.map(({ notificationId }) => notificationId),
    );
    const told = await describeTold(db, records, { ...visitor, role: found.role });
    const steps = await readStepsOfDrills(
      db,
      serviceId,
      drills.map(({ episodeId }) => episodeId),
      { ...visitor, role: found.role },
    );
    const stepsOf = (drill: Drill) => steps.filter(({ episodeId }) => episodeId === drill.episodeId);
    const toldOf = (drill: Drill) => told.find(({ id }) => id === drill.notificationId);
    const isWatched = drills.some(
      (drill) =>
        request.now.getTime() - drill.startedAt.getTime() < WATCHED_MS &&
        (!drill.acknowledgedAt || toldOf(drill)?.verdict.kind === 'under_way'),
    );
    const page = h(DrillPage, {
      visitor,
      serviceId,
      serviceName: nameService(visitor, found.service),
      drills: drills.map((drill) => showDrill(drill, toldOf(drill), stepsOf(drill), visitor)),
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
      return fault === null ? answerErrorPage(reply, 404) : showDrills(visit, fault);
    },
  });
}

/** Of a drill that climbs, all steps so far count. */
const judgeDrill = ({ verdict }: ToldModel, steps: readonly StepTaken[]): Verdict =>
  steps.length === 0
    ? verdict
    : judgeOutcomes(steps.flatMap(({ receipts }) => receipts.map(({ outcome }) => outcome)));

function showDrill(
  drill: Drill,
  told: ToldModel | undefined,
  steps: StepTaken[],
  reader: Reader,
): DrillModel {
  const { id, startedBy, startedAt, acknowledgedBy, acknowledgedAt } = drill;
  return {
    id,
    startedBy,
    startedAt: showTime(startedAt, reader),
    acknowledged:
      acknowledgedBy !== null && acknowledgedAt
        ? {
            by: acknowledgedBy,
            at: showTime(acknowledgedAt, reader),
            after: describeSpan(acknowledgedAt.getTime() - startedAt.getTime()),
          }
        : null,
    deliveries: told?.deliveries ?? [],
    verdict: told && judgeDrill(told, steps),
    steps,
  };
}
