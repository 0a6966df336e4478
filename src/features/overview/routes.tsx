import { answerPage } from '../../engine/pages/answer-page.ts';
import { OVERVIEW } from '../../engine/pages/navigation.ts';
import { type PageDeps, routePage } from '../../engine/pages/page-routes.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { answerFragment, renderFragment, wantsFragment } from '../../platform/html/fragment.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import type { Log } from '../../platform/log.ts';
import { readOverview, readPageNumber } from './overview-model.ts';
import { rememberGaps } from './remember-gaps.ts';
import { rememberUnits } from './remember-units.ts';
import { Board, OverviewPage } from './views.tsx';

export function routeOverview(app: HttpServer, deps: PageDeps & { db: ReadDatabase; log: Log }): void {
  const { db } = deps;
  const readers = { db, lookForGaps: rememberGaps(db, deps.log), readUnits: rememberUnits(db) };

  routePage(app, deps, {
    method: 'GET',
    url: OVERVIEW,
    show: async ({ request, reply, visitor, query }) => {
      const isMember = visitor.memberships.length > 0;
      const board = isMember ? await readOverview(readers, visitor, readPageNumber(query.page)) : null;
      if (board && wantsFragment(request)) {
        reply.header('cache-control', 'no-store');
        return answerFragment(reply, renderFragment(<Board {...board} />, visitor.language));
      }
      return answerPage(reply, 200, <OverviewPage visitor={visitor} board={board} />);
    },
  });
}
