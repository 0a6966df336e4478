import type { FastifyReply } from 'fastify';
import { organizationIdsOf } from '../../domain/accounts/requester.ts';
import { listBranches, nameBranch } from '../../domain/equipment/place-tree.ts';
import { message } from '../../domain/language/message.ts';
import { selectLocationNames } from '../../engine/equipment/branches.ts';
import { selectPicture, selectPlan, selectPlans } from '../../engine/floor-plans/floor-plans.ts';
import type { Cleaning } from '../../engine/floor-plans/open-cleaning.ts';
import { planPicturePath } from '../../engine/floor-plans/plan-view.tsx';
import { sendPicture } from '../../engine/floor-plans/send-picture.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { type PageDeps, readPageId, routePage } from '../../engine/pages/page-routes.ts';
import {
  frameOf,
  routeDesk,
  routeSettingsPage,
  type SettingsVisit,
} from '../../engine/pages/settings-routes.ts';
import type { Database } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { namePlace, PLAN_REFUSALS, place, remove } from './change-plans.ts';
import { FLOOR_PLANS } from './paths.ts';
import { PlanPage } from './plan-page.tsx';
import { PlansPage } from './plans-page.tsx';
import { countMarkers, selectPlanUnits, selectStates } from './queries.ts';
import { routeUpload } from './upload-route.tsx';

export interface FloorPlanDeps extends PageDeps {
  db: Database;
  cleaning: Cleaning;
}

export function routeFloorPlans(app: HttpServer, deps: FloorPlanDeps): void {
  const { db } = deps;

  const answerPlans = async (visit: SettingsVisit, fault: string | null): Promise<FastifyReply> => {
    const { organization, visitor, query } = visit;
    const [plans, locations] = await Promise.all([
      selectPlans(db, [organization.id]),
      selectLocationNames(db, [organization.id]),
    ]);
    const names = locations.map(({ name }) => name);
    const units = await countMarkers(
      db,
      plans.map(({ id }) => id),
    );
    const done = query.done === 'delete' ? visitor.language.say('The floor plan is deleted.') : null;
    const page = (
      <PlansPage
        frame={frameOf(visit, { done, fault: fault === null ? null : { text: fault } })}
        plans={plans.map((plan) => ({
          id: plan.id,
          name: nameBranch(plan.branch, names) ?? plan.branch.replaceAll('/', ' / '),
          isEmpty: nameBranch(plan.branch, names) === null,
          units: units.get(plan.id) ?? 0,
        }))}
        locations={names}
        branches={listBranches(names)}
        chosen={visit.form.location ?? query.location ?? null}
        fault={fault}
      />
    );
    return answerPage(visit.reply, fault === null ? 200 : 422, page);
  };

  routeSettingsPage(app, deps, {
    method: 'GET',
    url: FLOOR_PLANS,
    show: (visit) => answerPlans(visit, null),
  });
  routeUpload(app, { ...deps, answerFault: answerPlans });

  routeDesk(app, deps, {
    url: `${FLOOR_PLANS}/:plan_id`,
    verbs: { place, delete: remove },
    refusals: PLAN_REFUSALS,
    questions: {
      delete: async ({ organization, params, visitor }) => {
        const { say } = visitor.language;
        const plan = await selectPlan(db, [organization.id], readPageId(params.plan_id) ?? 0);
        if (!plan) return null;
        const units = (await countMarkers(db, [plan.id])).get(plan.id) ?? 0;
        return {
          act: say('Delete the floor plan of {name}', { name: await namePlace(db, plan) }),
          says: [
            say('The picture is gone from the overview and from walls of this place at once.'),
            say(
              '{count, plural, one {# unit stands} other {# units stand}} on it: where they stand is forgotten. The units themselves stay as they are.',
              { count: units },
            ),
          ],
          canUndo: false,
        };
      },
    },
    done: {
      upload: message('The picture is there. Put the units where they stand, then save.'),
      place: message('Saved. The overview and walls of this place show it.'),
    },
    show: async (visit, news) => {
      const { organization, params, visitor } = visit;
      const plan = await selectPlan(db, [organization.id], readPageId(params.plan_id) ?? 0);
      if (!plan) return null;
      const [units, name] = await Promise.all([selectPlanUnits(db, plan), namePlace(db, plan)]);
      const states = await selectStates(
        db,
        units.map(({ serviceId }) => serviceId),
        visitor.now,
      );
      return (
        <PlanPage
          frame={frameOf(visit, news)}
          plan={plan}
          name={name}
          src={planPicturePath(plan)}
          units={units.map((unit) => ({ ...unit, state: states.get(unit.serviceId) ?? 'normal' }))}
          fault={news.fault}
        />
      );
    },
  });

  routePage(app, deps, {
    method: 'GET',
    url: '/floor-plans/:plan_id/picture',
    show: async ({ reply, visitor, params }) => {
      const plan = await selectPlan(db, organizationIdsOf(visitor), readPageId(params.plan_id) ?? 0);
      const picture = plan && (await selectPicture(db, plan));
      return picture ? sendPicture(reply, picture) : answerErrorPage(reply, 404);
    },
  });
}
