import { frameOf, routeDesk } from '../../engine/pages/settings-routes.ts';
import type { Database } from '../../platform/db/database.ts';
import { showTime } from '../../platform/html/time.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { create, renew, revoke, SOURCE_REFUSALS } from './change-sources.ts';
import { selectSources } from './queries.ts';
import { SOURCES, SourcesPage } from './views.tsx';

export interface SourcePageDeps {
  db: Database;
  publicUrl: URL | null;
}

export const routeSourcePages = (app: HttpServer, deps: SourcePageDeps): void =>
  routeDesk(app, deps, {
    url: SOURCES,
    verbs: { create, renew, revoke },
    refusals: SOURCE_REFUSALS,
    done: { revoke: 'Revoked. Whatever it sends is refused from now on.' },
    show: async (visit, news) => {
      const { request, organization, visitor } = visit;
      const sources = await selectSources(deps.db, organization.id);
      const origin = deps.publicUrl?.origin ?? `${request.protocol}://${request.host}`;
      return (
        <SourcesPage
          frame={frameOf(visit, news)}
          sources={sources.map(({ id, name, createdAt }) => ({
            id,
            name,
            created: showTime(createdAt, visitor),
          }))}
          fault={news.fault}
          shown={news.shown}
          address={`${origin}/api/v1/telemetry`}
        />
      );
    },
  });
