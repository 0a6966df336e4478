import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { OVERVIEW } from '../../engine/pages/navigation.ts';
import { type PageDeps, routePage } from '../../engine/pages/page-routes.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { answerFragment, renderFragment, wantsFragment } from '../../platform/html/fragment.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import type { Log } from '../../platform/log.ts';
import { readAskedOverview, readOverview } from './overview-model.ts';
import { rememberGaps } from './remember-gaps.ts';
import { rememberPlaces } from './remember-places.ts';
import { rememberUnits } from './remember-units.ts';
import { Board, OverviewPage } from './views.tsx';

export function routeOverview(app: HttpServer, deps: PageDeps & { db: ReadDatabase; log: Log }): void {
  const { db } = deps;
  const readers = {
    db,
    lookForGaps: rememberGaps(db, deps.log),
    readPlaces: rememberPlaces(db),
    readUnits: rememberUnits(db),
  };

  routePage(app, deps, {
    method: 'GET',
    url: OVERVIEW,
    show: async ({ request, reply, visitor, query }) => {
      if (visitor.memberships.length === 0)
        return answerPage(reply, 200, <OverviewPage visitor={visitor} board={null} />);
      const board = await readOverview(readers, visitor, readAskedOverview(query));
      if (!board) return answerErrorPage(reply, 404);
      if (wantsFragment(request)) {
        reply.header('cache-control', 'no-store');
        return answerFragment(reply, renderFragment(<Board {...board} />, visitor.language));
      }
      return answerPage(reply, 200, <OverviewPage visitor={visitor} board={board} />);
    },
  });
}
