// Drills are kept, and listed by year: for everybody of the organization. Operators keep them.
import { h } from 'preact';
import { branchOf, isInBranch } from '../../domain/equipment/place-tree.ts';
import { formatLocalInput } from '../../domain/local-time.ts';
import { findActNotice } from '../../domain/words/act-words.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { routePage } from '../../engine/pages/page-routes.ts';
import { DRILL } from '../../engine/pages/rescue-part.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { selectDrillsOfYear, selectPlacesToEmpty } from '../../engine/rescue/kept-drill-rows.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { drillQuery, findOrganization, readDrillModel } from './drill-model.ts';
import { exportDrills } from './export-drill.ts';
import { keepDrill } from './keep-drill.ts';
import { DRILLS, type ReportModel, ReportPage } from './report-view.tsx';
import type { RescueDeps } from './route-unit.ts';

export function routeReports(app: HttpServer, deps: RescueDeps): void {
  const { db } = deps;

  routePage(app, deps, {
    method: 'GET',
    url: DRILLS,
    show: async ({ reply, visitor, query }) => {
      const report = await readReport(db, visitor, query);
      if (!report) return answerErrorPage(reply, 404);
      const news = findActNotice(query, visitor.language);
      return answerPage(reply, 200, h(ReportPage, { visitor, report, news }));
    },
  });

  routePage(app, deps, {
    method: 'GET',
    url: `${DRILLS}.csv`,
    show: async ({ reply, visitor, query }) => {
      const report = await readReport(db, visitor, query);
      if (!report) return answerErrorPage(reply, 404);
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="rescue-drills-${report.year}.csv"`)
        .type('text/csv; charset=utf-8')
        .send(exportDrills(report.drills));
    },
  });

  routePage(app, deps, {
    method: 'POST',
    url: DRILLS,
    show: async ({ reply, visitor, form }) => {
      const drill = await readDrillModel(db, visitor, form);
      if (!drill?.plan || drill.place === null) return answerErrorPage(reply, 404);
      const { organizationId, place, plan } = drill;
      const typed = { heldOn: form.held_on, remarks: form.remarks };
      const held = { organizationId, place, plan, typed, today: todayOf(visitor) };
      const kept = await db.transaction((tx) => keepDrill(tx, visitor, held, visitor.now));
      return kept.ok
        ? reply.redirect(
            `${DRILLS}?organization=${organizationId}&year=${form.held_on?.trim().slice(0, 4)}&done=keep-drill`,
            303,
          )
        : reply.redirect(`${DRILL}?${drillQuery(drill)}&refused=${kept.refusal}`, 303);
    },
  });
}

const todayOf = ({ now, timezone }: Pick<Visitor, 'now' | 'timezone'>): string =>
  formatLocalInput(now, timezone).slice(0, 10);

const FIRST_YEAR = 1900;

/** null: it is of an organization that the visitor does not belong to. */
async function readReport(
  db: ReadDatabase,
  visitor: Visitor,
  query: Record<string, string | undefined>,
): Promise<ReportModel | null> {
  const organizationId = findOrganization(visitor, query.organization);
  if (organizationId === null) return null;
  const thisYear = Number(todayOf(visitor).slice(0, 4));
  const asked = /^\d{4}$/.test(query.year ?? '') ? Number(query.year) : thisYear;
  const year = Math.min(thisYear, Math.max(FIRST_YEAR, asked));
  const drills = await selectDrillsOfYear(db, organizationId, year);
  const held = [...new Set(drills.map(({ place }) => branchOf(place)))];
  return {
    organizationId,
    organizations: visitor.memberships.map((one) => [one.organizationId, one.organizationName]),
    year,
    nextYear: year < thisYear ? year + 1 : null,
    drills,
    without: (await selectPlacesToEmpty(db, organizationId)).filter(
      (name) => !held.some((branch) => isInBranch(name, branch)),
    ),
  };
}
