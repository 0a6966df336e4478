// The address of a door card that got about is renewed: asked first, for the sticker that hangs there leads nowhere after it.
import { h } from 'preact';
import type { Requester } from '../../domain/accounts/requester.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { ok, type Result } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { AskPage } from '../../engine/pages/ask.tsx';
import { type PageDeps, readPageId, routePage } from '../../engine/pages/page-routes.ts';
import {
  type AdministeredService,
  type AdministerRefusal,
  administerService,
} from '../../engine/services/administer-service.ts';
import { renewDoor } from '../../engine/services/doors.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';

const PATH = '/services/:service_id/door-card/renew';

export function routeRenewing(app: HttpServer, deps: PageDeps & { db: Database }): void {
  const { db } = deps;

  routePage(app, deps, {
    method: 'GET',
    url: PATH,
    show: async ({ reply, visitor, params }) => {
      const serviceId = readPageId<ServiceId>(params.service_id) ?? (0 as ServiceId);
      const permitted = await db.transaction((tx) => administerService(tx, visitor, serviceId));
      if (!permitted.ok) return answerErrorPage(reply, 404);
      const { say } = visitor.language;
      const { name } = permitted.value.service;
      const question = {
        act: say('Renew the door card of {name}', { name }),
        says: [
          say('The sticker that hangs there leads nowhere from then on: print and hang a new one.'),
          say('So does every copy of its address.'),
        ],
        canUndo: false,
      };
      const path = `/services/${serviceId}`;
      const asked = {
        question,
        losses: [],
        action: `${path}/door-card/renew`,
        form: {},
        back: `${path}/sticker`,
      };
      return answerPage(reply, 200, h(AskPage, { visitor, current: '/services', ...asked }));
    },
  });

  routePage(app, deps, {
    method: 'POST',
    url: PATH,
    show: async ({ reply, visitor, params }) => {
      const serviceId = readPageId<ServiceId>(params.service_id) ?? (0 as ServiceId);
      const renewed = await db.transaction((tx) => renew(tx, visitor, { serviceId }, visitor.now));
      return renewed.ok
        ? reply.redirect(`/services/${serviceId}/sticker?done=door-card`, 303)
        : answerErrorPage(reply, 404);
    },
  });
}

async function renew(
  tx: Tx,
  requester: Requester,
  { serviceId }: { serviceId: ServiceId },
  now: Date,
): Promise<Result<AdministeredService, AdministerRefusal>> {
  const permitted = await administerService(tx, requester, serviceId);
  if (!permitted.ok) return permitted;
  const { service } = permitted.value;
  await renewDoor(tx, service);
  const { organizationId, name } = service;
  await writeAudit(
    tx,
    requester,
    { action: 'service.door_card', organizationId, serviceId, detail: { name } },
    now,
  );
  return ok(service);
}
