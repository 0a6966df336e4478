import { h } from 'preact';
import type { Language } from '../../domain/language/speak.ts';
import { listPlace } from '../../domain/words/place.ts';
import { pathOfLink, RECEIPT_PAGE, type ReceiptLink } from '../../engine/outbox/receipt-path.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { routeOpenPage, type Visit } from '../../engine/pages/page-routes.ts';
import { languageOf } from '../../engine/requests/language-of.ts';
import { requesterOf } from '../../engine/requests/requester-of.ts';
import type { TokenSigner } from '../../platform/auth/token.ts';
import type { Database } from '../../platform/db/database.ts';
import { showTime } from '../../platform/html/time.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { confirmReceipt, readReceipt } from './confirm-receipt.ts';
import type { ToldAlarm } from './receipt-queries.ts';
import { type HowItStands, type ReceiptModel, ReceiptPage } from './receipt-view.tsx';

interface ReceiptDeps {
  db: Database;
  publicUrl: () => URL | null;
  signer: TokenSigner;
}

export function routeReceipts(app: HttpServer, deps: ReceiptDeps): void {
  const { db, signer } = deps;

  routeOpenPage(app, deps, {
    method: 'GET',
    url: RECEIPT_PAGE,
    show: async ({ request, reply, params }) => {
      const link = linkOf(params);
      const told = await readReceipt(db, signer, link);
      if (!told) return answerErrorPage(reply, 404);
      return answerPage(
        reply,
        200,
        h(ReceiptPage, toModel(told, pathOfLink(link), request.now, languageOf(request))),
      );
    },
  });

  routeOpenPage(app, deps, {
    method: 'POST',
    url: RECEIPT_PAGE,
    show: async ({ request, reply, params }) => {
      const link = linkOf(params);
      const confirmed = await db.transaction((tx) =>
        confirmReceipt(tx, requesterOf(request), { signer, link }, request.now),
      );
      return confirmed.ok ? reply.redirect(pathOfLink(link), 303) : answerErrorPage(reply, 404);
    },
  });
}

const linkOf = ({ letter_id: letterId = '', proof = '' }: Visit['params']): ReceiptLink => ({
  letterId,
  proof,
});

function toModel(
  told: [ToldAlarm, ...ToldAlarm[]],
  action: string,
  now: Date,
  language: Language,
): ReceiptModel {
  const [{ count, toldAt, confirmedAt, timezone }] = told;
  // The mail was written in the same zone.
  const reader = { timezone: timezone ?? 'UTC', now, language };
  return {
    action,
    timezone: reader.timezone,
    toldAt: showTime(toldAt, reader),
    confirmedAt: confirmedAt && showTime(confirmedAt, reader),
    more: count - told.length,
    alarms: told.map((alarm) => ({
      serviceId: alarm.serviceId,
      serviceName: alarm.serviceName,
      place: listPlace({ organizationName: null, locationName: alarm.locationName }),
      severity: alarm.severity,
      isDrill: alarm.isDrill,
      standing: standingOf(alarm),
    })),
  };
}

function standingOf({ incidentId, currentIncidentId, isAcknowledged }: ToldAlarm): HowItStands {
  if (incidentId !== currentIncidentId) return 'over';
  return isAcknowledged ? 'acknowledged' : 'open';
}
