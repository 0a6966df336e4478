import { Readable } from 'node:stream';
import { organizationIdsOf } from '../../domain/accounts/requester.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { readBigId, routePage, type Visit } from '../../engine/pages/page-routes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { type EpisodeDeps, readEpisodePage } from './episode-model.ts';
import { EpisodePage } from './episode-view.tsx';
import { exportHistory } from './export-history.ts';
import type { FilterModel } from './filter-view.tsx';
import { showEpisodes } from './list-model.ts';
import { HISTORY, HistoryPage } from './list-view.tsx';
import { selectEpisodes, selectNamed, selectPlaces, selectUnitName } from './queries.ts';
import { readEpisodeCursor, writeEpisodeCursor } from './read-cursor.ts';
import { episodesPath, readEpisodeSearch, typedEpisodesOf } from './read-search.ts';

const PAGE_ROWS = 50;

export interface HistoryPageDeps extends EpisodeDeps {
  publicUrl: () => URL | null;
}

/** What is asked for, within what the visitor may see. */
function readAsked(visitor: Visitor, query: Visit['query']) {
  const typed = typedEpisodesOf(query);
  const { search, faults } = readEpisodeSearch(typed, visitor.timezone);
  const own = organizationIdsOf(visitor).filter((id) => [null, id].includes(search.organizationId));
  return { typed, search, faults, own };
}

async function readFilterModel(
  db: ReadDatabase,
  visitor: Visitor,
  { typed, search, faults }: ReturnType<typeof readAsked>,
): Promise<FilterModel> {
  const all = organizationIdsOf(visitor);
  const [places, unitName] = await Promise.all([
    selectPlaces(db, all),
    search.serviceId === null ? null : selectUnitName(db, all, search.serviceId),
  ]);
  return { typed, faults, places, unitName };
}

export function routeHistoryPages(app: HttpServer, deps: HistoryPageDeps): void {
  const { historyDb } = deps;

  const showList = async ({ reply, visitor, query }: Visit & { visitor: Visitor }) => {
    const asked = readAsked(visitor, query);
    const { typed, search, faults, own } = asked;
    const below = readEpisodeCursor(query.below);
    const named = await selectNamed(historyDb, own, search);
    const rows =
      faults.length > 0 ? [] : await selectEpisodes(historyDb, own, { search, named }, below, PAGE_ROWS + 1);
    const shown = rows.slice(0, PAGE_ROWS);
    const last = rows.length > PAGE_ROWS ? shown.at(-1) : undefined;
    return answerPage(
      reply,
      faults.length > 0 ? 422 : 200,
      <HistoryPage
        visitor={visitor}
        filter={await readFilterModel(historyDb, visitor, asked)}
        episodes={await showEpisodes(historyDb, shown, visitor)}
        olderPath={
          last
            ? episodesPath(HISTORY, typed, { below: writeEpisodeCursor({ at: last.cursorAt, id: last.id }) })
            : null
        }
        isFirstPage={below === null}
      />,
    );
  };

  routePage(app, deps, { method: 'GET', url: HISTORY, show: showList });

  routePage(app, deps, {
    method: 'GET',
    url: `${HISTORY}.csv`,
    show: async (visit) => {
      const { reply, visitor, query } = visit;
      const { search, faults, own } = readAsked(visitor, query);
      if (faults.length > 0) return showList(visit);
      const named = await selectNamed(historyDb, own, search);
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="history.csv"')
        .type('text/csv; charset=utf-8')
        .send(Readable.from(exportHistory(historyDb, own, { search, named }, visitor.now)));
    },
  });

  routePage(app, deps, {
    method: 'GET',
    url: `${HISTORY}/:episode_id`,
    show: async ({ reply, visitor, params }) => {
      const id = readBigId(params.episode_id);
      const episode = id === null ? null : await readEpisodePage(deps, visitor, id);
      return episode
        ? answerPage(reply, 200, <EpisodePage visitor={visitor} episode={episode} />)
        : answerErrorPage(reply, 404);
    },
  });
}
