import { message } from '../../domain/language/message.ts';
import type { SourceSettings } from '../../domain/ways-in/source-settings.ts';
import type { Codecs } from '../../engine/codecs/codecs.ts';
import { readAddressDoubt } from '../../engine/pages/address-warning.tsx';
import { answerErrorPage } from '../../engine/pages/answer-page.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import {
  frameOf,
  routeDesk,
  routeSettingsPage,
  type SettingsVisit,
} from '../../engine/pages/settings-routes.ts';
import { selectMqttUrls } from '../../engine/self-watch/programs.ts';
import type { Database } from '../../platform/db/database.ts';
import { answerFragment } from '../../platform/html/fragment.ts';
import { renderInPieces } from '../../platform/html/in-pieces.tsx';
import { type Reader, showTime } from '../../platform/html/time.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { askRenew, askRevoke } from './ask-sources.ts';
import { change, create, forget, renew, revoke, SOURCE_REFUSALS } from './change-sources.ts';
import type { Place } from './connecting.ts';
import { Heard } from './heard-view.tsx';
import { SOURCES } from './paths.ts';
import { type Source, selectSource, selectSources } from './queries.ts';
import { readHeard } from './read-heard.ts';
import { Refusals } from './refusals-view.tsx';
import { readSettingsForm, writeSettingsText } from './settings-text.ts';
import { SourcePage } from './source-view.tsx';
import { TriedView } from './tried-view.tsx';
import { tryReading } from './try-reading.ts';
import { NewSecretPage, SourcesPage } from './views.tsx';

export interface SourcePageDeps {
  db: Database;
  publicUrl: () => URL | null;
  codecs: Codecs;
}

export function routeSourcePages(app: HttpServer, deps: SourcePageDeps): void {
  const originOf = ({ request }: SettingsVisit): string =>
    deps.publicUrl()?.origin ?? `${request.protocol}://${request.host}`;
  const placeFor = async (visit: SettingsVisit, secret: string): Promise<Place> => ({
    telemetry: `${originOf(visit)}/api/v1/telemetry`,
    secret,
    listeners: await selectMqttUrls(deps.db, visit.visitor.now),
  });

  routeDesk(app, deps, {
    url: SOURCES,
    verbs: { create, renew, revoke },
    questions: { renew: askRenew(deps.db), revoke: askRevoke(deps.db) },
    asksFirst: ['revoke'],
    refusals: SOURCE_REFUSALS,
    done: { revoke: message('Revoked. Whatever it sends is refused from now on.') },
    show: async (visit, news) => {
      const { organization, visitor } = visit;
      if (news.shown)
        return (
          <NewSecretPage
            frame={frameOf(visit, news)}
            shown={news.shown}
            heard={await readHeard(deps.db, visit, news.shown.id)}
            place={await placeFor(visit, news.shown.secret)}
            doubt={await readAddressDoubt(deps.db, visitor, originOf(visit))}
          />
        );
      const sources = await selectSources(deps.db, organization.id);
      return (
        <SourcesPage
          frame={frameOf(visit, news)}
          sources={sources.map((source) => ({
            ...describeSource(source, visitor),
            refusals: source.refusals,
          }))}
          fault={news.fault}
        />
      );
    },
  });

  routeDesk(app, deps, {
    url: `${SOURCES}/:source_id`,
    verbs: { change, forget },
    refusals: SOURCE_REFUSALS,
    done: {
      change: message('Saved. It counts from the next post on.'),
      forget: message('Forgotten. What is refused from now on is listed again.'),
    },
    show: async (visit, news) => {
      const { organization, visitor, params } = visit;
      const source = await selectSource(deps.db, organization.id, readPageId(params.source_id) ?? 0);
      const heard = source && (await readHeard(deps.db, visit, source.id));
      if (!source || !heard) return null;
      const { kind, lastBody, lastTopic } = source;
      const form = news.fault?.typed ?? formOf(source.settings);
      const tried = await tryReading(
        deps.codecs,
        { organizationId: organization.id, kind, form, lastBody, lastTopic },
        visitor,
        visitor.now,
      );
      const typed = news.fault && (await readSettingsForm(news.fault.typed, visitor.language));
      return (
        <SourcePage
          frame={frameOf(visit, news)}
          source={{ ...describeSource(source, visitor), settings: source.settings }}
          heard={heard}
          lastBody={tried && lastBody ? lastBody.toString('utf8') : null}
          lastTopic={lastTopic}
          tried={tried}
          codecOff={
            source.codecOffAt && {
              since: showTime(source.codecOffAt, visitor),
              reason: source.codecOffReason ?? '',
            }
          }
          fault={news.fault}
          settingsFault={typed && !typed.ok ? typed.refusal : null}
          place={await placeFor(visit, 'SECRET')}
        />
      );
    },
  });

  // What an open page asks for again.
  routeSettingsPage(app, deps, {
    method: 'GET',
    url: `${SOURCES}/:source_id/heard`,
    show: async (visit) => {
      const { params, reply } = visit;
      const heard = await readHeard(deps.db, visit, readPageId(params.source_id) ?? 0);
      if (!heard) return answerErrorPage(reply, 404);
      reply.header('cache-control', 'no-store');
      const { sourceId, refusals } = heard;
      const frame = frameOf(visit);
      return answerFragment(
        reply,
        renderInPieces(
          <>
            <Heard frame={frame} heard={heard} />
            <Refusals frame={frame} sourceId={sourceId} refusals={refusals} />
          </>,
          visit.visitor.language,
        ),
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
      const { kind, lastBody, lastTopic } = source;
      const tried = await tryReading(
        deps.codecs,
        { organizationId: organization.id, kind, form, lastBody, lastTopic },
        visitor,
        visitor.now,
      );
      if (!tried) return answerErrorPage(reply, 404);
      return answerFragment(reply, renderInPieces(<TriedView {...tried} />, visitor.language));
    },
  });
}

const formOf = (settings: SourceSettings) => ({
  clock: settings.clock,
  codec: settings.codec,
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
