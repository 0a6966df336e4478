import { h } from 'preact';
import { canAdminister, canOperate } from '../../domain/accounts/role.ts';
import type { Language } from '../../domain/language/speak.ts';
import { type RefusedPreferred, sayPreferredFault } from '../../domain/rescue/preferred-refuges.ts';
import {
  RESCUE_FIELDS,
  type RefusedRescue,
  sayRescueFault,
  type TypedRescue,
} from '../../domain/rescue/rescue.ts';
import { findActNotice } from '../../domain/words/act-words.ts';
import { answerPage } from '../../engine/pages/answer-page.ts';
import { changeRescue, readPreferredNames } from '../../engine/rescue/change-rescue.ts';
import { NOTHING_SAID, selectRescue } from '../../engine/rescue/rescue-rows.ts';
import { selectHoldings } from '../../engine/rescue/reservation-rows.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { routeRescueApi } from './api-routes.ts';
import { routeDrills } from './drill-routes.ts';
import { routePlans } from './plan-routes.ts';
import { suggestRefuges } from './queries.ts';
import { routeReports } from './report-routes.ts';
import { openUnitRoutes, type RescueDeps, type SeenUnit, type SignedInVisit } from './route-unit.ts';
import { RescueSettingsPage } from './settings-view.tsx';
import { fillFields, PREFERRED_FIELDS, readTyped, readTypedPreferred, toTyped } from './typed-rescue.ts';

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

  routePlans(app, deps);
  routeDrills(app, deps);
  routeReports(app, deps);
  const routeUnit = openUnitRoutes(app, deps);

  const showSettings = async (
    { reply, visitor, query }: SignedInVisit,
    unit: SeenUnit,
    refused: Refused | null,
  ) => {
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
      canOperate: canOperate(unit.role),
      holdings: await selectHoldings(db, { refugeId: unit.id }, visitor.now),
      news: findActNotice(query, visitor.language),
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
