// What to do at one unit: its page, for whoever may see the unit; administrators change it there.
import { h } from 'preact';
import { type Requester, roleIn } from '../../domain/accounts/requester.ts';
import { canAdminister, type Role } from '../../domain/accounts/role.ts';
import {
  findGuidance,
  GUIDANCE_FIELDS,
  NO_GUIDANCE,
  sayGuidanceFault,
} from '../../domain/guidance/guidance.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { changeUnitGuidance } from '../../engine/guidance/change-unit-guidance.ts';
import { readSaidGuidance } from '../../engine/guidance/guidance-rows.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { type PageDeps, readPageId, routePage, type Visit } from '../../engine/pages/page-routes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { Database, ReadDatabase } from '../../platform/db/database.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { selectUnit, type Unit } from './queries.ts';
import { fillFields, readTyped } from './typed-guidance.ts';
import { UnitGuidancePage } from './unit-view.tsx';

/** null: not there, archived, or not theirs to see. */
export async function findUnit(
  db: ReadDatabase,
  requester: Pick<Requester, 'memberships'>,
  serviceId: ServiceId | null,
): Promise<(Unit & { role: Role }) | null> {
  const unit = serviceId === null ? null : await selectUnit(db, serviceId);
  const role = unit && roleIn(requester, unit.organizationId as OrganizationId);
  return unit && role ? { ...unit, role } : null;
}

export function routeUnitGuidance(app: HttpServer, deps: PageDeps & { db: Database }): void {
  const { db } = deps;
  const url = '/services/:service_id/what-to-do';

  const show = async (
    { reply, visitor }: Visit & { visitor: Visitor },
    unit: Unit & { role: Role },
    refused: { field: string; text: string; typed: FormFields } | null,
  ) => {
    const said = (await readSaidGuidance(db, [unit.id])).get(unit.id);
    const { service = null, template = null, location = null } = said ?? {};
    const props = {
      visitor,
      service: unit,
      template: refused ? (refused.typed.template ?? null) : unit.template,
      inherited: findGuidance({ service: null, template, location }),
      found: findGuidance({ service, template, location }),
      values: fillFields(service ?? NO_GUIDANCE, refused?.typed ?? null),
      canAdminister: canAdminister(unit.role),
      fault: refused,
    };
    return answerPage(reply, refused ? 422 : 200, h(UnitGuidancePage, props));
  };

  routePage(app, deps, {
    method: 'GET',
    url,
    show: async (visit) => {
      const unit = await findUnit(db, visit.visitor, readPageId<ServiceId>(visit.params.service_id));
      return unit ? show(visit, unit, null) : answerErrorPage(visit.reply, 404);
    },
  });

  routePage(app, deps, {
    method: 'POST',
    url,
    show: async (visit) => {
      const { reply, visitor, params, form } = visit;
      const unit = await findUnit(db, visitor, readPageId<ServiceId>(params.service_id));
      if (!unit) return answerErrorPage(reply, 404);
      const wanted = { serviceId: unit.id, typed: { ...readTyped(form), template: form.template } };
      const changed = await db.transaction((tx) => changeUnitGuidance(tx, visitor, wanted, visitor.now));
      if (changed.ok) return reply.redirect(`/services/${unit.id}?done=what-to-do#what-to-do`, 303);
      const { refusal } = changed;
      if (typeof refusal === 'string') return reply.redirect(`/services/${unit.id}?refused=${refusal}`, 303);
      const text = sayGuidanceFault(refusal, visitor.language);
      return show(visit, unit, { field: GUIDANCE_FIELDS[refusal.field].word, text, typed: form });
    },
  });
}
