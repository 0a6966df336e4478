import { message } from '../../domain/language/message.ts';
import { readAlarmFacts } from '../../engine/alarm-state/read-alarm-facts.ts';
import { readAddressDoubt } from '../../engine/pages/address-warning.tsx';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { routeOpenPage } from '../../engine/pages/page-routes.ts';
import { frameOf, routeDesk } from '../../engine/pages/settings-routes.ts';
import { languageOf } from '../../engine/requests/language-of.ts';
import { hashSourceSecret } from '../../platform/auth/source-secret.ts';
import type { Database } from '../../platform/db/database.ts';
import { showTime } from '../../platform/html/time.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { findLanguage } from '../../platform/languages/languages.ts';
import { create, LINK_REFUSALS, revoke } from './change-links.ts';
import { LinksPage, WALL } from './links-view.tsx';
import { selectLinks, selectLocations, selectWall, selectWatched } from './queries.ts';
import { WallPage } from './views.tsx';
import { toWall } from './wall-model.ts';

export interface WallDeps {
  db: Database;
  publicUrl: () => URL | null;
}

export function routeWallPages(app: HttpServer, deps: WallDeps): void {
  const { db } = deps;

  routeOpenPage(app, deps, {
    method: 'GET',
    url: '/wall/:token',
    show: async ({ request, reply, params: { token = '' } }) => {
      const wall = await selectWall(db, hashSourceSecret(token));
      if (!wall) return answerErrorPage(reply, 404);
      const { now } = request;
      const language = findLanguage(wall.languageTag) ?? languageOf(request);
      const watched = await selectWatched(db, wall, now);
      const alarming = watched.filter(({ severity }) => severity !== 'normal').map(({ id }) => id);
      const facts = await readAlarmFacts(db, alarming, language);
      return answerPage(
        reply,
        200,
        <WallPage wall={toWall({ ...wall, language }, watched, facts, now)} />,
        language,
      );
    },
  });

  routeDesk(app, deps, {
    url: WALL,
    verbs: { create, revoke },
    refusals: LINK_REFUSALS,
    questions: {
      revoke: async ({ organization, form, visitor }) => {
        const { say } = visitor.language;
        const link = (await selectLinks(db, organization.id)).find(({ id }) => String(id) === form.link_id);
        return link
          ? {
              act: say('Revoke {name}', { name: link.name }),
              says: [say('A screen whose link is revoked shows nothing from its next update on.')],
              canUndo: false,
            }
          : null;
      },
    },
    done: { revoke: message('Revoked. The link leads nowhere from now on.') },
    show: async (visit, news) => {
      const { request, organization, visitor } = visit;
      const links = await selectLinks(db, organization.id);
      const origin = deps.publicUrl()?.origin ?? `${request.protocol}://${request.host}`;
      return (
        <LinksPage
          frame={frameOf(visit, news)}
          links={links.map(({ id, name, locationName, createdAt }) => ({
            id,
            name,
            locationName,
            created: showTime(createdAt, visitor),
          }))}
          locations={await selectLocations(db, organization.id)}
          fault={news.fault}
          shown={news.shown}
          origin={origin}
          doubt={await readAddressDoubt(db, visitor, origin)}
        />
      );
    },
  });
}
