import { splitWords } from '../../engine/equipment/find-units.ts';
import { answerPage } from '../../engine/pages/answer-page.ts';
import { KEYS, SEARCH } from '../../engine/pages/navigation.ts';
import { type PageDeps, routePage } from '../../engine/pages/page-routes.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { answerFragment, renderFragment, wantsFragment } from '../../platform/html/fragment.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { findEverything } from './find.ts';
import { KeysPage } from './keys-view.tsx';
import { FoundFragment, SearchPage } from './views.tsx';

const LONGEST = 200;

export function routeSearch(app: HttpServer, deps: PageDeps & { db: ReadDatabase }): void {
  routePage(app, deps, {
    method: 'GET',
    url: SEARCH,
    show: async ({ request, reply, visitor, query }) => {
      const typed = (query.q ?? '').slice(0, LONGEST);
      const kinds = await findEverything(deps.db, visitor, splitWords(typed));
      if (!wantsFragment(request))
        return answerPage(reply, 200, <SearchPage visitor={visitor} typed={typed} kinds={kinds} />);
      reply.header('cache-control', 'no-store');
      return answerFragment(
        reply,
        renderFragment(<FoundFragment typed={typed} kinds={kinds} />, visitor.language),
      );
    },
  });

  routePage(app, deps, {
    method: 'GET',
    url: KEYS,
    show: ({ reply, visitor }) => answerPage(reply, 200, <KeysPage visitor={visitor} />),
  });
}
