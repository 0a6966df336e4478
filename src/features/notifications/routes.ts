import { h } from 'preact';
import { roleIn } from '../../domain/accounts/requester.ts';
import { canAdminister } from '../../domain/accounts/role.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { readBigId, routePage } from '../../engine/pages/page-routes.ts';
import { frameOf, routeSettingsPage, visitIn } from '../../engine/pages/settings-routes.ts';
import { describeTold } from '../../engine/told/told-model.ts';
import { selectNotifications, selectNotificationsById } from '../../engine/told/told-records.ts';
import type { TokenSigner } from '../../platform/auth/token.ts';
import type { Database, ReadDatabase } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { routeAcknowledgeLink } from './acknowledge-routes.ts';
import { routeDrillPages } from './drill-routes.ts';
import { routeMailPages } from './mail-routes.ts';
import { routePersonalLinks } from './personal-routes.ts';
import { routeReceipts } from './receipt-routes.ts';
import { readStepsTaken } from './steps-taken.ts';
import { ServiceToldPage, TestOutcomePage } from './told-pages.tsx';
import { findService, nameService } from './visible-service.ts';

const PAGE_LENGTH = 50;
const REFRESH_SECONDS = 5;

export interface NotificationPageDeps {
  db: Database;
  historyDb: ReadDatabase;
  publicUrl: () => URL | null;
  /** Whether mail leaves, or is kept to be read here. */
  hasMailServer: () => boolean;
  /** What the links of receipts are proved by. */
  signer: TokenSigner;
}

export function routeNotificationPages(app: HttpServer, deps: NotificationPageDeps): void {
  const { db } = deps;
  routeAcknowledgeLink(app, deps);
  routePersonalLinks(app, deps);
  routeReceipts(app, deps);
  routeDrillPages(app, deps);
  routeMailPages(app, deps);

  routePage(app, deps, {
    method: 'GET',
    url: '/services/:service_id/notifications',
    show: async (visit) => {
      const { reply, query, visitor } = visit;
      const found = await findService(db, visit);
      if (!found) return answerErrorPage(reply, 404);
      const { service, role } = found;
      const before = readBigId(query.before);
      const records = await selectNotifications(before ? deps.historyDb : db, service.id, {
        before,
        limit: PAGE_LENGTH + 1,
      });
      const shown = records.slice(0, PAGE_LENGTH);
      const told = await describeTold(db, shown, { ...visitor, role });
      const steps = before === null ? await readStepsTaken(db, service.id, { ...visitor, role }) : [];
      const olderThan = records.length > PAGE_LENGTH ? (shown.at(-1)?.id ?? null) : null;
      const named = {
        serviceId: service.id,
        serviceName: nameService(visitor, service),
        canAdminister: canAdminister(role),
      };
      return answerPage(reply, 200, h(ServiceToldPage, { visitor, ...named, told, steps, olderThan }));
    },
  });

  routeSettingsPage(app, deps, {
    method: 'GET',
    url: '/settings/tests/:notification_id',
    show: async (visit) => {
      const { reply, params, visitor } = visit;
      const id = readBigId(params.notification_id);
      const [record] = id === null ? [] : await selectNotificationsById(db, [id]);
      const role = record ? roleIn(visitor, record.organizationId) : null;
      if (record?.mark !== 'test' || !role || !canAdminister(role)) return answerErrorPage(reply, 404);
      const [told] = await describeTold(db, [record], { ...visitor, role });
      if (!told) throw new Error('A notification that was found is described');
      const { groupId, groupName } = record;
      const group = groupId !== null && groupName !== null ? { id: groupId, name: groupName } : null;
      const refreshSeconds = told.verdict.kind === 'under_way' ? REFRESH_SECONDS : undefined;
      const frame = frameOf(visitIn(visit, record.organizationId));
      return answerPage(reply, 200, h(TestOutcomePage, { frame, group, told, refreshSeconds }));
    },
  });
}
