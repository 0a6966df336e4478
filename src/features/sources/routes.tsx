import type { SourceSettings } from '../../domain/ways-in/source-settings.ts';
import { answerErrorPage } from '../../engine/pages/answer-page.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import {
  frameOf,
  routeDesk,
  routeSettingsPage,
  type SettingsVisit,
} from '../../engine/pages/settings-routes.ts';
import type { Database } from '../../platform/db/database.ts';
import { answerFragment, renderFragment } from '../../platform/html/fragment.ts';
import { type Reader, showTime } from '../../platform/html/time.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { change, create, forget, renew, revoke, SOURCE_REFUSALS } from './change-sources.ts';
import { TriedMappingView } from './mapping-view.tsx';
import { SOURCES } from './paths.ts';
import { type Source, selectRefusals, selectSource, selectSources } from './queries.ts';
import { writeSettingsText } from './settings-text.ts';
import { SourcePage } from './source-view.tsx';
import { tryMapping } from './try-mapping.ts';
import { SourcesPage } from './views.tsx';

export interface SourcePageDeps {
  db: Database;
  publicUrl: URL | null;
}

export function routeSourcePages(app: HttpServer, deps: SourcePageDeps): void {
  const addressFor = ({ request }: SettingsVisit) =>
    `${deps.publicUrl?.origin ?? `${request.protocol}://${request.host}`}/api/v1/telemetry`;

  routeDesk(app, deps, {
    url: SOURCES,
    verbs: { create, renew, revoke },
    refusals: SOURCE_REFUSALS,
    done: { revoke: 'Revoked. Whatever it sends is refused from now on.' },
    show: async (visit, news) => {
      const { organization, visitor } = visit;
      const sources = await selectSources(deps.db, organization.id);
      return (
        <SourcesPage
          frame={frameOf(visit, news)}
          sources={sources.map((source) => ({
            ...describeSource(source, visitor),
            refusals: source.refusals,
          }))}
          fault={news.fault}
          shown={news.shown}
          address={addressFor(visit)}
        />
      );
    },
  });

  routeDesk(app, deps, {
    url: `${SOURCES}/:source_id`,
    verbs: { change, forget },
    refusals: SOURCE_REFUSALS,
    done: {
      change: 'Saved. It counts from the next post on.',
      forget: 'Forgotten. What is refused from now on is listed again.',
    },
    show: async (visit, news) => {
      const { organization, visitor, params } = visit;
      const source = await selectSource(deps.db, organization.id, readPageId(params.source_id) ?? 0);
      if (!source) return null;
      const refusals = await selectRefusals(deps.db, source.id);
      return (
        <SourcePage
          frame={frameOf(visit, news)}
          source={{ ...describeSource(source, visitor), settings: source.settings }}
          refusals={refusals.map(({ reason, count, lastAt, sample }) => ({
            reason,
            count,
            last: showTime(lastAt, visitor),
            sample: sample.toString('utf8'),
          }))}
          lastBody={source.kind === 'json' && source.lastBody ? source.lastBody.toString('utf8') : null}
          tried={
            source.kind === 'json'
              ? tryMapping(
                  news.fault?.typed ?? formOf(source.settings),
                  source.lastBody,
                  visitor,
                  visitor.now,
                )
              : null
          }
          fault={news.fault}
          address={addressFor(visit)}
        />
      );
    },
  });

  // Asked for while somebody types; changes nothing.
  routeSettingsPage(app, deps, {
    method: 'POST',
    url: `${SOURCES}/:source_id/try`,
    show: async ({ organization, visitor, params, form, reply }) => {
      const source = await selectSource(deps.db, organization.id, readPageId(params.source_id) ?? 0);
      if (!source) return answerErrorPage(reply, 404);
      const tried = tryMapping(form, source.lastBody, visitor, visitor.now);
      return answerFragment(reply, renderFragment(<TriedMappingView {...tried} />));
    },
  });
}

const formOf = (settings: SourceSettings) => ({
  clock: settings.clock,
  settings: writeSettingsText(settings),
});

const describeSource = (
  { id, name, kind, createdAt, lastSeenAt }: Omit<Source, 'refusals'>,
  reader: Reader,
) => ({
  id,
  name,
  kind,
  created: showTime(createdAt, reader),
  lastSeen: lastSeenAt && showTime(lastSeenAt, reader),
});
