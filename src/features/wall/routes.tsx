import { nameBranch } from '../../domain/equipment/place-tree.ts';
import { message } from '../../domain/language/message.ts';
import { readAlarmFacts } from '../../engine/alarm-state/read-alarm-facts.ts';
import { selectPicture } from '../../engine/floor-plans/floor-plans.ts';
import { sendPicture } from '../../engine/floor-plans/send-picture.ts';
import { readAddressDoubt } from '../../engine/pages/address-warning.tsx';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { routeOpenPage } from '../../engine/pages/page-routes.ts';
import { frameOf, routeDesk } from '../../engine/pages/settings-routes.ts';
import { languageOf } from '../../engine/requests/language-of.ts';
import { hashSourceSecret } from '../../platform/auth/source-secret.ts';
import type { Database, ReadDatabase } from '../../platform/db/database.ts';
import { showTime } from '../../platform/html/time.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { findLanguage } from '../../platform/languages/languages.ts';
import { create, LINK_REFUSALS, revoke } from './change-links.ts';
import { LinksPage, WALL } from './links-view.tsx';
import { selectLinks, selectLocations, selectWall, type Wall } from './queries.ts';
import { shareLooks } from './share-looks.ts';
import { WallPage } from './views.tsx';
import { listTiled, toWall } from './wall-model.ts';
import { findWallPlan, readWallPlan } from './wall-plan.ts';

export interface WallDeps {
  db: Database;
  publicUrl: () => URL | null;
}

export function routeWallPages(app: HttpServer, deps: WallDeps): void {
  const { db } = deps;
  const readWatched = shareLooks(db);

  routeOpenPage(app, deps, {
    method: 'GET',
    url: '/wall/:token',
    show: async ({ request, reply, params: { token = '' } }) => {
      const wall = await selectWall(db, hashSourceSecret(token));
      if (!wall) return answerErrorPage(reply, 404);
      const { now } = request;
      const language = findLanguage(wall.languageTag) ?? languageOf(request);
      const watched = await readWatched(wall, now);
      const facts = await readAlarmFacts(db, listTiled(watched), language);
      const locationName = await nameShown(db, wall);
      const plan = await readWallPlan(db, { ...wall, locationName, token }, watched, now);
      return answerPage(
        reply,
        200,
        <WallPage wall={toWall({ ...wall, locationName, language }, watched, plan, facts, now)} />,
        language,
      );
    },
  });

  routeOpenPage(app, deps, {
    method: 'GET',
    url: '/wall/:token/floor-plan',
    show: async ({ reply, params: { token = '' } }) => {
      const wall = await selectWall(db, hashSourceSecret(token));
      const plan = wall && (await findWallPlan(db, wall));
      const picture = plan && (await selectPicture(db, plan));
      return picture ? sendPicture(reply, picture) : answerErrorPage(reply, 404);
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
      const [links, locations] = await Promise.all([
        selectLinks(db, organization.id),
        selectLocations(db, organization.id),
      ]);
      const origin = deps.publicUrl()?.origin ?? `${request.protocol}://${request.host}`;
      return (
        <LinksPage
          frame={frameOf(visit, news)}
          links={links.map(({ id, name, locationName, branch, createdAt }) => ({
            id,
            name,
            locationName: branch === null ? locationName : nameAs(branch, locations),
            created: showTime(createdAt, visitor),
          }))}
          locations={locations}
          fault={news.fault}
          shown={news.shown}
          origin={origin}
          doubt={await readAddressDoubt(db, visitor, origin)}
        />
      );
    },
  });
}

/** null: all of the organization. */
const nameShown = async (
  db: ReadDatabase,
  { organizationId, locationName, branch }: Wall,
): Promise<string | null> =>
  branch === null ? locationName : nameAs(branch, await selectLocations(db, organizationId));

/** As its locations are called by now; as it was, where there are none any more. */
const nameAs = (branch: string, locations: readonly { name: string }[]): string =>
  nameBranch(
    branch,
    locations.map(({ name }) => name),
  ) ?? branch.replaceAll('/', ' / ');
