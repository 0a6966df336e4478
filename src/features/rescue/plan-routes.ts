// Where the contents of a unit go: the page, and what is done from there.
import { h } from 'preact';
import { canOperate } from '../../domain/accounts/role.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { SETTLING, type Settling } from '../../domain/rescue/settle-reservation.ts';
import { findActNotice } from '../../domain/words/act-words.ts';
import { reserveRefuge } from '../../engine/acts/reserve-refuge.ts';
import { settleReservation } from '../../engine/acts/settle-reservation.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { readBigId, readPageId } from '../../engine/pages/page-routes.ts';
import { rescuePath } from '../../engine/pages/rescue-part.tsx';
import { readPlan } from '../../engine/rescue/read-plan.ts';
import { selectHoldings } from '../../engine/rescue/reservation-rows.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { PlanPage } from './plan-view.tsx';
import { openUnitRoutes, type RescueDeps } from './route-unit.ts';
import { settingsPathOf } from './settings-view.tsx';

export function routePlans(app: HttpServer, deps: RescueDeps): void {
  const { db } = deps;
  const routeUnit = openUnitRoutes(app, deps);

  routeUnit('GET', '/alarms/:service_id/rescue', async ({ reply, visitor, query }, unit) => {
    if (!canOperate(unit.role)) return answerErrorPage(reply, 404);
    const { id: serviceId, organizationId } = unit;
    const plan = await readPlan(db, { serviceId, organizationId }, visitor.now);
    const holdings = await selectHoldings(db, { serviceId }, visitor.now);
    const news = findActNotice(query, visitor.language);
    return answerPage(reply, 200, h(PlanPage, { visitor, service: unit, plan, holdings, news }));
  });

  routeUnit('POST', '/alarms/:service_id/reserve-refuge', async ({ reply, visitor, form }, unit) => {
    const wanted = { serviceId: unit.id, refugeId: readPageId<ServiceId>(form.refuge) };
    const done = await db.transaction((tx) => reserveRefuge(tx, visitor, wanted, visitor.now));
    if (!done.ok) return reply.redirect(`${rescuePath(unit.id)}?refused=${done.refusal}`, 303);
    const { isTakenOn } = done.value;
    const news = isTakenOn ? 'reserve-refuge' : 'reserve-refuge-alone';
    return reply.redirect(`${rescuePath(unit.id)}?done=${news}`, 303);
  });

  for (const act of Object.keys(SETTLING) as Settling[])
    routeUnit(
      'POST',
      `/alarms/:service_id/${act}`,
      async ({ reply, visitor, form }, unit) => {
        const wanted = { serviceId: unit.id, reservationId: readBigId(form.reservation), act };
        const done = await db.transaction((tx) => settleReservation(tx, visitor, wanted, visitor.now));
        const news = done.ok ? `done=${act}` : `refused=${done.refusal}`;
        // It was pressed there.
        const refugeId = readPageId<ServiceId>(form.refuge);
        const path = refugeId === null ? rescuePath(unit.id) : settingsPathOf(refugeId);
        return reply.redirect(`${path}?${news}`, 303);
      },
      { evenIfArchived: true },
    );
}
