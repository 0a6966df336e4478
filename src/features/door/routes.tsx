import type { FastifyReply } from 'fastify';
import { roleIn, withoutAccount } from '../../domain/accounts/requester.ts';
import type { DoorPart } from '../../domain/door/door-card.ts';
import { english } from '../../domain/language/english.ts';
import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import { describeSpan } from '../../domain/span.ts';
import { type ArriveRefusal, arrive } from '../../engine/acts/arrive.ts';
import { selectDoorCard } from '../../engine/organizations/door-card.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { routeOpenPage, type Visit } from '../../engine/pages/page-routes.ts';
import { frameOf, routeDesk } from '../../engine/pages/settings-routes.ts';
import { visitorOf } from '../../engine/pages/visitor.ts';
import { type Door, type DoorSigner, findDoor } from '../../engine/services/doors.ts';
import type { Database } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { chooseLanguage, findLanguage } from '../../platform/languages/languages.ts';
import { readCard } from './card-model.ts';
import { CardPage } from './card-view.tsx';
import { routeRenewing } from './renew-routes.ts';
import { setDoorCard } from './set-door-card.ts';
import { DOOR_CARDS, DoorCardsPage } from './settings-view.tsx';

export interface DoorDeps {
  db: Database;
  publicUrl: () => URL | null;
  signer: DoorSigner;
}

type OpenDoor = Door & { parts: DoorPart[] };

const isOpen = (door: Door): door is OpenDoor => door.parts !== null;

export function routeDoorPages(app: HttpServer, deps: DoorDeps): void {
  const { db, signer } = deps;

  const show = async (
    { request, reply, params: { token = '' } }: Visit,
    door: OpenDoor,
    refusal: ArriveRefusal | null,
  ) => {
    const { now } = request;
    const language = languageAt(door, request.headers['accept-language']);
    const card = await readCard(db, door, language, now);
    if (!card) return answerErrorPage(reply, 404);
    const path = `/door/${encodeURIComponent(token)}`;
    const signIn = `/login?${new URLSearchParams({ next: `/services/${door.serviceId}` })}`;
    const refused = refusal && sayRefusal(refusal, now, language);
    const props = { card, path, signIn, refused };
    return answerPage(reply, refusal ? 429 : 200, <CardPage {...props} />, language);
  };

  /** Members are led on to the unit, everybody to the sign-in where the organization shows no card. */
  const routeDoor = (
    method: 'GET' | 'POST',
    url: string,
    enter: (visit: Visit, door: OpenDoor) => Promise<FastifyReply>,
  ) =>
    routeOpenPage(app, deps, {
      method,
      url,
      show: async (visit) => {
        const { request, reply, params } = visit;
        reply.header('x-robots-tag', 'noindex, nofollow');
        const door = await findDoor(db, signer, params.token ?? '');
        if (!door) return answerErrorPage(reply, 404);
        const visitor = visitorOf(request);
        const isMember = visitor && roleIn(visitor, door.organizationId) !== null;
        return isOpen(door) && !isMember
          ? enter(visit, door)
          : reply.redirect(`/services/${door.serviceId}`, 303);
      },
    });

  routeDoor('GET', '/door/:token', (visit, door) => show(visit, door, null));

  // Who came back here by the browser's own ways finds the card.
  routeDoor('GET', '/door/:token/here', async ({ reply, params: { token = '' } }) =>
    reply.redirect(`/door/${encodeURIComponent(token)}`, 303),
  );

  routeDoor('POST', '/door/:token/here', async (visit, door) => {
    const { request, reply, params } = visit;
    const requester = withoutAccount('door card', { address: request.ip, requestId: request.id });
    const arrived = await db.transaction((tx) => arrive(tx, requester, door, request.now));
    if (arrived.ok || arrived.refusal.reason === 'no_alarm')
      return reply.redirect(`/door/${encodeURIComponent(params.token ?? '')}`, 303);
    const { until } = arrived.refusal;
    reply.header('retry-after', Math.ceil((until.getTime() - request.now.getTime()) / 1000));
    return show(visit, door, arrived.refusal);
  });

  routeRenewing(app, deps);

  routeDesk(app, deps, {
    url: DOOR_CARDS,
    verbs: { save: setDoorCard },
    refusals: {},
    done: { save: message('Saved.') },
    show: async (visit, news) => (
      <DoorCardsPage frame={frameOf(visit, news)} parts={await selectDoorCard(db, visit.organization.id)} />
    ),
  });
}

/** Whoever stands there is served in their own language, where it is one of ours. */
const languageAt = ({ languageTag }: Door, asked: string | undefined): Language =>
  chooseLanguage(asked) ?? findLanguage(languageTag) ?? english;

function sayRefusal(refusal: ArriveRefusal, now: Date, language: Language): string | null {
  if (refusal.reason === 'no_alarm') return null;
  const { say } = language;
  const left = Math.ceil((refusal.until.getTime() - now.getTime()) / 60_000) * 60_000;
  const span = describeSpan(left, language);
  return refusal.of === 'unit'
    ? say('Somebody said so a moment ago. It can be said again in {span}; if it is urgent, call somebody.', {
        span,
      })
    : say(
        'From your connection this was said too often. It can be said again in {span}; if it is urgent, call somebody.',
        { span },
      );
}
