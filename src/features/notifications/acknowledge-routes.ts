import type { FastifyRequest } from 'fastify';
import { h } from 'preact';
import { organizationNameIn } from '../../domain/accounts/requester.ts';
import { unlessBlank } from '../../domain/blank.ts';
import { describeSpan } from '../../domain/span.ts';
import { sayToPeople } from '../../domain/words/alarm-message.ts';
import { listPlace } from '../../domain/words/place.ts';
import { showFacts } from '../../engine/pages/alarm-facts.tsx';
import { answerPage } from '../../engine/pages/answer-page.ts';
import { routePage } from '../../engine/pages/page-routes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { requesterOf } from '../../engine/requests/requester-of.ts';
import type { Database } from '../../platform/db/database.ts';
import { showTime } from '../../platform/html/time.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import {
  acknowledgeByLink,
  commentByLink,
  type LinkOutcome,
  readCommentByLink,
} from './acknowledge-by-link.ts';
import { CommentPage, NotYetPage, OutcomePage, UnknownLinkPage } from './acknowledge-view.tsx';
import { nameService } from './visible-service.ts';

export interface AcknowledgeLinkDeps {
  db: Database;
  publicUrl: () => URL | null;
}

const STATUSES: Record<LinkOutcome['outcome'], number> = {
  acknowledged: 200,
  already_acknowledged: 409,
  over: 409,
  newer_alarm: 409,
  viewer_only: 403,
};

export function routeAcknowledgeLink(app: HttpServer, deps: AcknowledgeLinkDeps): void {
  const { db } = deps;

  routePage(app, deps, {
    method: 'GET',
    url: '/acknowledge/:token',
    show: async ({ request, reply, params: { token = '' }, visitor }) => {
      // Browsers keep no error for later, so the person who opens the link is asked for again.
      if (isOnlyLooking(request)) return answerPage(reply, 503, h(NotYetPage, { visitor, token }));
      const requester = requesterOf(request);
      const outcome = await db.transaction((tx) =>
        acknowledgeByLink(tx, requester, { token, language: visitor.language }, request.now),
      );
      if (!outcome.ok) return answerPage(reply, 404, h(UnknownLinkPage, { visitor, token }));
      const status = STATUSES[outcome.value.outcome];
      return answerPage(reply, status, h(OutcomePage, toModel(outcome.value, visitor, token)));
    },
  });

  routePage(app, deps, {
    method: 'POST',
    url: '/acknowledge/:token/comment',
    show: async ({ request, reply, params: { token = '' }, form, visitor }) => {
      const comment = unlessBlank(form.comment);
      const page = `/acknowledge/${encodeURIComponent(token)}`;
      if (comment === null) return reply.redirect(page, 303);
      const said = await db.transaction((tx) =>
        commentByLink(tx, requesterOf(request), { token, comment }, request.now),
      );
      if (!said.ok && said.refusal === 'no_such_link')
        return answerPage(reply, 404, h(UnknownLinkPage, { visitor, token }));
      // Without the role, the link's own page says so.
      return reply.redirect(`${page}${said.ok ? '/comment' : ''}`, 303);
    },
  });

  routePage(app, deps, {
    method: 'GET',
    url: '/acknowledge/:token/comment',
    show: async ({ request, reply, params: { token = '' }, visitor }) => {
      const said = await db.transaction((tx) => readCommentByLink(tx, requesterOf(request), token));
      if (!said) return answerPage(reply, 404, h(UnknownLinkPage, { visitor, token }));
      const { serviceId, serviceName: name, organizationId } = said.link;
      const serviceName = nameService(visitor, { name, organizationId });
      return answerPage(
        reply,
        200,
        h(CommentPage, { visitor, comment: said.comment, serviceId, serviceName }),
      );
    },
  });
}

/** A link checker, or a browser that fetches what might be opened next. */
const isOnlyLooking = ({ method, headers }: FastifyRequest): boolean =>
  method === 'HEAD' ||
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|prerender|preview/i.test(String(headers[name] ?? '')),
  );

function toModel(
  { outcome, link, alarm, facts, taken, acknowledged, drillMs }: LinkOutcome,
  visitor: Visitor,
  token: string,
) {
  const shown = showFacts(facts, visitor);
  return {
    visitor,
    token,
    outcome,
    taken,
    serviceId: link.serviceId,
    serviceName: link.serviceName,
    place: listPlace({ ...link, organizationName: organizationNameIn(visitor, link.organizationId) }),
    isDrill: link.drillId !== null,
    drillTime: drillMs === null ? null : describeSpan(drillMs, visitor.language),
    alarm:
      alarm && alarm.severity !== 'normal'
        ? {
            severity: alarm.severity,
            message:
              shown?.said ?? sayToPeople(alarm.message ?? '', alarm.channel, alarm.value, visitor.language),
            since: shown ? null : alarm.since && showTime(alarm.since, visitor),
            facts: shown,
          }
        : null,
    acknowledged: acknowledged && {
      by: acknowledged.isVisitor ? null : acknowledged.by,
      at: showTime(acknowledged.at, visitor),
      comment: acknowledged.comment,
    },
    canComment: link.drillId === null && acknowledged?.isVisitor === true && acknowledged.comment === null,
  };
}
