import { Readable } from 'node:stream';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { readBigId, routePage, type Visit } from '../../engine/pages/page-routes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { type EpisodeDeps, readEpisodePage } from './episode-model.ts';
import { EpisodePage } from './episode-view.tsx';
import { exportHistory } from './export-history.ts';
import { exportInsight } from './export-insight.ts';
import { readInsight } from './insight-model.ts';
import { InsightPage } from './insight-view.tsx';
import { showEpisodes } from './list-model.ts';
import { HistoryPage } from './list-view.tsx';
import { HISTORY, INSIGHT } from './paths.ts';
import { selectEpisodes, selectNamed } from './queries.ts';
import { readAsked, readFilterModel } from './read-asked.ts';
import { readEpisodeCursor, writeEpisodeCursor } from './read-cursor.ts';
import { episodesPath } from './read-search.ts';

const PAGE_ROWS = 50;

const answerCsv = (reply: Visit['reply'], name: string) =>
  reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .type('text/csv; charset=utf-8');

export interface HistoryPageDeps extends EpisodeDeps {
  publicUrl: () => URL | null;
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
      return answerCsv(reply, 'history').send(
        Readable.from(exportHistory(historyDb, own, { search, named }, visitor.now)),
      );
    },
  });

  const showInsight = async ({ reply, visitor, query }: Visit & { visitor: Visitor }) => {
    const asked = readAsked(visitor, query);
    return answerPage(
      reply,
      asked.faults.length > 0 ? 422 : 200,
      <InsightPage
        visitor={visitor}
        filter={await readFilterModel(historyDb, visitor, asked)}
        insight={asked.faults.length > 0 ? null : await readInsight(historyDb, visitor, asked, query.month)}
      />,
    );
  };

  routePage(app, deps, { method: 'GET', url: INSIGHT, show: showInsight });

  routePage(app, deps, {
    method: 'GET',
    url: `${INSIGHT}.csv`,
    show: async (visit) => {
      const { reply, visitor, query } = visit;
      const asked = readAsked(visitor, query);
      if (asked.faults.length > 0) return showInsight(visit);
      const { weeks } = await readInsight(historyDb, visitor, asked, undefined);
      return answerCsv(reply, 'insight').send(exportInsight(weeks));
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
