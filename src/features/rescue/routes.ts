import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { roleIn } from '../../domain/accounts/requester.ts';
import { canAdminister, canOperate, type Role } from '../../domain/accounts/role.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import { type RefusedPreferred, sayPreferredFault } from '../../domain/rescue/preferred-refuges.ts';
import {
  RESCUE_FIELDS,
  type RefusedRescue,
  sayRescueFault,
  type TypedRescue,
} from '../../domain/rescue/rescue.ts';
import { findActNotice } from '../../domain/words/act-words.ts';
import { releaseRefuge, reserveRefuge } from '../../engine/acts/reserve-refuge.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { readBigId, readPageId, routePage, type Visit } from '../../engine/pages/page-routes.ts';
import { rescuePath } from '../../engine/pages/rescue-part.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { changeRescue, readPreferredNames } from '../../engine/rescue/change-rescue.ts';
import { readPlan } from '../../engine/rescue/read-plan.ts';
import { NOTHING_SAID, selectRescue } from '../../engine/rescue/rescue-rows.ts';
import type { Database } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { routeRescueApi } from './api-routes.ts';
import { PlanPage } from './plan-view.tsx';
import { selectUnit, suggestRefuges, type Unit } from './queries.ts';
import { RescueSettingsPage } from './settings-view.tsx';
import { fillFields, PREFERRED_FIELDS, readTyped, readTypedPreferred, toTyped } from './typed-rescue.ts';

export interface RescueDeps {
  db: Database;
  publicUrl: () => URL | null;
}

type SignedInVisit = Visit & { visitor: Visitor };
type SeenUnit = Unit & { role: Role };

interface Refused {
  refusal: RefusedRescue | RefusedPreferred;
  typed: TypedRescue;
  preferred: string[];
}

/** Beside the field in which it stands. */
const findFault = (refusal: Refused['refusal'], language: Language) =>
  refusal.field === 'preferred'
    ? { field: PREFERRED_FIELDS[refusal.place] ?? '', text: sayPreferredFault(refusal, language) }
    : { field: RESCUE_FIELDS[refusal.field].word, text: sayRescueFault(refusal, language) };

export function routeRescue(app: HttpServer, deps: RescueDeps): void {
  const { db } = deps;
  routeRescueApi(app, deps);

  /** Of a unit that the visitor may see. */
  const routeUnit = (
    method: 'GET' | 'POST',
    url: string,
    show: (visit: SignedInVisit, unit: SeenUnit) => Promise<FastifyReply>,
  ) =>
    routePage(app, deps, {
      method,
      url,
      show: async (visit) => {
        const { reply, visitor, params } = visit;
        const serviceId = readPageId<ServiceId>(params.service_id);
        const unit = serviceId && (await selectUnit(db, serviceId));
        const role = unit && roleIn(visitor, unit.organizationId);
        return unit && role ? show(visit, { ...unit, role }) : answerErrorPage(reply, 404);
      },
    });

  routeUnit('GET', '/alarms/:service_id/rescue', async ({ reply, visitor, query }, unit) => {
    if (!canOperate(unit.role)) return answerErrorPage(reply, 404);
    const { id: serviceId, organizationId } = unit;
    const plan = await readPlan(db, { serviceId, organizationId }, visitor.now);
    const news = findActNotice(query, visitor.language);
    return answerPage(reply, 200, h(PlanPage, { visitor, service: unit, plan, news }));
  });

  const verbs = {
    'reserve-refuge': ({ visitor, form }: SignedInVisit, { id: serviceId }: Unit) => {
      const wanted = { serviceId, refugeId: readPageId<ServiceId>(form.refuge) };
      return db.transaction((tx) => reserveRefuge(tx, visitor, wanted, visitor.now));
    },
    'release-refuge': ({ visitor, form }: SignedInVisit, { id: serviceId }: Unit) => {
      const wanted = { serviceId, reservationId: readBigId(form.reservation) };
      return db.transaction((tx) => releaseRefuge(tx, visitor, wanted, visitor.now));
    },
  };
  for (const [verb, act] of Object.entries(verbs))
    routeUnit('POST', `/alarms/:service_id/${verb}`, async (visit, unit) => {
      const done = await act(visit, unit);
      const news = done.ok ? `done=${verb}` : `refused=${done.refusal}`;
      return visit.reply.redirect(`${rescuePath(unit.id)}?${news}`, 303);
    });

  const showSettings = async ({ reply, visitor }: SignedInVisit, unit: SeenUnit, refused: Refused | null) => {
    const stored = (await selectRescue(db, unit.id)) ?? NOTHING_SAID;
    const mayChange = canAdminister(unit.role);
    const props = {
      visitor,
      service: unit,
      values: fillFields(refused?.typed ?? toTyped(stored)),
      preferred:
        refused?.preferred ?? (await readPreferredNames(db, unit.organizationId, stored.preferredIds)),
      suggested: mayChange ? await suggestRefuges(db, unit) : [],
      canAdminister: mayChange,
      fault: refused && findFault(refused.refusal, visitor.language),
    };
    return answerPage(reply, refused ? 422 : 200, h(RescueSettingsPage, props));
  };

  routeUnit('GET', '/services/:service_id/rescue', (visit, unit) => showSettings(visit, unit, null));

  routeUnit('POST', '/services/:service_id/rescue', async (visit, unit) => {
    const { reply, visitor, form } = visit;
    const typed = readTyped(form);
    const preferred = readTypedPreferred(form);
    const changed = await db.transaction((tx) =>
      changeRescue(tx, visitor, { serviceId: unit.id, typed, preferred }, visitor.now),
    );
    if (changed.ok) return reply.redirect(`/services/${unit.id}?done=rescue`, 303);
    const { refusal } = changed;
    if (typeof refusal === 'string') return reply.redirect(`/services/${unit.id}?refused=${refusal}`, 303);
    return showSettings(visit, unit, { refusal, typed, preferred });
  });
}
