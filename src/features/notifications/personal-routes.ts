import { h } from 'preact';
import type { Language } from '../../domain/language/speak.ts';
import { sayToPeople } from '../../domain/words/alarm-message.ts';
import { listPlace } from '../../domain/words/place.ts';
import { PERSONAL_PAGE, type PersonalLink, pathOfPersonalLink } from '../../engine/outbox/personal-path.ts';
import { showFacts } from '../../engine/pages/alarm-facts.tsx';
import { answerPage } from '../../engine/pages/answer-page.ts';
import { routeOpenPage, type Visit } from '../../engine/pages/page-routes.ts';
import { languageOf } from '../../engine/requests/language-of.ts';
import { requesterOf } from '../../engine/requests/requester-of.ts';
import type { TokenSigner } from '../../platform/auth/token.ts';
import type { Database } from '../../platform/db/database.ts';
import { showTime } from '../../platform/html/time.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import {
  acknowledgeByPersonalLink,
  type PersonalAlarm,
  readPersonalAlarm,
} from './acknowledge-by-personal-link.ts';
import { PersonalPage, UnknownPersonalPage } from './personal-view.tsx';

interface PersonalDeps {
  db: Database;
  publicUrl: () => URL | null;
  signer: TokenSigner;
}

export function routePersonalLinks(app: HttpServer, deps: PersonalDeps): void {
  const { db, signer } = deps;

  const show = async ({ request, reply, params }: Visit) => {
    const link = linkOf(params);
    const language = languageOf(request);
    const found = await readPersonalAlarm(db, { signer, link, language }, request.now);
    reply.header('cache-control', 'no-store');
    if (!found) return answerPage(reply, 404, h(UnknownPersonalPage, {}));
    const isRefused = found.standing === 'not_allowed' || found.standing === 'too_old';
    return answerPage(
      reply,
      isRefused ? 403 : 200,
      h(PersonalPage, toModel(found, pathOfPersonalLink(link), request.now, language)),
    );
  };

  routeOpenPage(app, deps, { method: 'GET', url: PERSONAL_PAGE, show });

  routeOpenPage(app, deps, {
    method: 'POST',
    url: PERSONAL_PAGE,
    show: async (visit) => {
      const { request, reply, params } = visit;
      const link = linkOf(params);
      const done = await db.transaction((tx) =>
        acknowledgeByPersonalLink(tx, requesterOf(request), { signer, link }, request.now),
      );
      // Why not stands on its page.
      return !done.ok && done.refusal === 'no_such_link'
        ? show(visit)
        : reply.redirect(pathOfPersonalLink(link), 303);
    },
  });
}

const linkOf = ({ letter_id: letterId = '', proof = '' }: Visit['params']): PersonalLink => ({
  letterId,
  proof,
});

function toModel(
  { told, standing, until, alarm, facts, acknowledged }: PersonalAlarm,
  action: string,
  now: Date,
  language: Language,
) {
  const reader = { timezone: told.timezone, now, language };
  const shown = showFacts(facts, reader);
  return {
    action,
    standing,
    serviceId: told.serviceId,
    serviceName: told.serviceName,
    place: listPlace({ organizationName: null, locationName: told.locationName }),
    isDrill: told.drillId !== null,
    person: told.accountName,
    timezone: told.timezone,
    until: showTime(until, reader),
    usedAt: told.usedAt && showTime(told.usedAt, reader),
    acknowledged: acknowledged && { by: acknowledged.by, at: showTime(acknowledged.at, reader) },
    alarm:
      alarm && alarm.severity !== 'normal'
        ? {
            severity: alarm.severity,
            message: shown?.said ?? sayToPeople(alarm.message ?? '', alarm.channel, alarm.value, language),
            since: shown ? null : alarm.since && showTime(alarm.since, reader),
            facts: shown,
          }
        : null,
  };
}
