// Who would go where if a place had no power: the page, and the same as CSV. For everybody of the organization.
import { h } from 'preact';
import { findActNotice } from '../../domain/words/act-words.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { routePage } from '../../engine/pages/page-routes.ts';
import { DRILL } from '../../engine/pages/rescue-part.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { readDrillModel } from './drill-model.ts';
import { DrillPage } from './drill-view.tsx';
import { exportDrill } from './export-drill.ts';
import type { RescueDeps } from './route-unit.ts';

export function routeDrills(app: HttpServer, deps: RescueDeps): void {
  const { db } = deps;

  routePage(app, deps, {
    method: 'GET',
    url: DRILL,
    show: async ({ reply, visitor, query }) => {
      const drill = await readDrillModel(db, visitor, query);
      if (!drill) return answerErrorPage(reply, 404);
      const news = findActNotice(query, visitor.language);
      return answerPage(reply, drill.refusal ? 422 : 200, h(DrillPage, { visitor, drill, news }));
    },
  });

  routePage(app, deps, {
    method: 'GET',
    url: `${DRILL}.csv`,
    show: async ({ reply, visitor, query }) => {
      const drill = await readDrillModel(db, visitor, query);
      if (!drill?.plan) return answerErrorPage(reply, 404);
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="who-would-go-where.csv"')
        .type('text/csv; charset=utf-8')
        .send(exportDrill(drill.plan));
    },
  });
}
