// The HTTP interface put together: the bare server, then each room's routes.

import { COMMAND_LINE } from './domain/accounts/requester.ts';
import type { OrganizationId } from './domain/ids.ts';
import { ok, refuse } from './domain/result.ts';
import type { Finding } from './domain/self-watch.ts';
import { openCodecs } from './engine/codecs/codecs.ts';
import { openUplinkDecoder } from './engine/codecs/uplink-decoder.ts';
import type { DeliverySettings } from './engine/delivery-settings/delivery-settings.ts';
import { findLinkBase, ownAddress } from './engine/delivery-settings/in-force.ts';
import { noteMadeUp } from './engine/first-steps/first-steps.ts';
import { openCleaning } from './engine/floor-plans/open-cleaning.ts';
import type { Road } from './engine/ingest/road.ts';
import { answerErrorPage, offerInstalling, showFindings } from './engine/pages/answer-page.ts';
import { askAgain } from './engine/pages/ask-again.tsx';
import { askForCredentials, findAccountId } from './engine/requests/credentials.ts';
import { openSourceLedger } from './engine/sources/source-ledger.ts';
import { routeAlarmPages } from './features/alarms/page-routes.ts';
import { routeAlarms } from './features/alarms/routes.ts';
import { routeApiDocs } from './features/api-docs/routes.tsx';
import { routeAuditPages } from './features/audit/routes.tsx';
import { routeAuth } from './features/auth/routes.ts';
import { routeBacktest } from './features/backtest/routes.ts';
import { routeDeliveryPages } from './features/delivery/routes.tsx';
import { routeDoorPages } from './features/door/routes.tsx';
import { routeDowntimePages } from './features/downtimes/page-routes.ts';
import { routeDowntimes } from './features/downtimes/routes.ts';
import { routeGatewayPage } from './features/equipment/gateways.tsx';
import { routeEquipmentPages } from './features/equipment/routes.tsx';
import { routeFirstSteps } from './features/first-steps/routes.tsx';
import { routeFloorPlans } from './features/floor-plans/routes.tsx';
import { routeGroupPages } from './features/groups/routes.ts';
import { routeGuidance } from './features/guidance/routes.ts';
import { routeHealth } from './features/health/routes.ts';
import { routeHistoryPages } from './features/history/routes.tsx';
import { routeHooks } from './features/hooks/routes.ts';
import { routeInvitationPages } from './features/invitations/routes.tsx';
import { applyLabFile } from './features/lab-file/apply-lab-file.ts';
import { routeLive } from './features/live/routes.ts';
import { routeMemberPages } from './features/members/routes.tsx';
import { routeMutes } from './features/mutes/routes.ts';
import { routeNotificationPages } from './features/notifications/routes.ts';
import { showTold } from './features/notifications/show-told.ts';
import { routeOnCallApi } from './features/on-call/api-routes.ts';
import { routeOnCallPages } from './features/on-call/routes.ts';
import { routeOverview } from './features/overview/routes.tsx';
import { routeProfilePages } from './features/profile/routes.tsx';
import { routeRecommendations } from './features/recommendations/routes.ts';
import { showRecommendation } from './features/recommendations/show-recommendation.ts';
import { routeRescue } from './features/rescue/routes.ts';
import { routeSearch } from './features/search/routes.tsx';
import { showSpanChart } from './features/services/chart/show-span-chart.ts';
import { routeLimits } from './features/services/limits/routes.ts';
import { routeServicePages } from './features/services/routes.ts';
import { routeReadingsPage } from './features/settings/readings-routes.tsx';
import { routeSettingsOverview } from './features/settings/routes.tsx';
import { routeSetup } from './features/setup/routes.ts';
import { routeSignInPages } from './features/sign-in/routes.ts';
import type { DemoDeps } from './features/simulation/demo/open-demo.ts';
import { openDemoFilling } from './features/simulation/demo/open-demo-filling.ts';
import { routeSourcePages } from './features/sources/routes.tsx';
import { openBodies } from './features/telemetry/bodies.ts';
import { openHandIn } from './features/telemetry/hand-in.ts';
import { routeTelemetry } from './features/telemetry/routes.ts';
import { openShortWay } from './features/telemetry/short-way.ts';
import { rememberSources } from './features/telemetry/sources.ts';
import { openLargeGate } from './features/telemetry/take-post.ts';
import { routeWaysIn } from './features/telemetry/ways-in/routes.ts';
import { routeWallPages } from './features/wall/routes.tsx';
import type { TokenSigner } from './platform/auth/token.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { Database, ReadDatabase } from './platform/db/database.ts';
import { serveAssets } from './platform/http/assets.ts';
import { createServer, type HttpServer } from './platform/http/server.ts';
import { serveWorker } from './platform/http/service-worker.ts';
import type { Log } from './platform/log.ts';
import type { Metrics } from './platform/metrics.ts';

export interface AppDeps {
  config: Config;
  clock: Clock;
  log: Log;
  /** For pages and whatever else people and scripts ask for. */
  db: Database;
  /** For what an alarm depends on. */
  engineDb: Database;
  /** For what is looked at and may be a little old: charts, downloads, history, the audit. Nobody acts by it. */
  historyDb: ReadDatabase;
  signer: TokenSigner;
  road: Road;
  metrics: Metrics | null;
  /** What is wrong with the service itself, as of a moment ago. */
  findings: () => readonly Finding[];
  delivery: DeliverySettings;
}

export async function createApp(deps: AppDeps): Promise<HttpServer> {
  const { delivery } = deps;
  const publicUrl = () => delivery.inForce().publicUrl;
  const linkBase = () => findLinkBase(delivery.inForce()) ?? ownAddress(deps.config, deps.config);
  const hasMailServer = () => delivery.inForce().mail.kind !== 'kept';
  const { take } = deps.road;
  const ledger = openSourceLedger(deps.engineDb, deps.log);
  const sources = rememberSources(deps.engineDb);
  const codecs = openCodecs();
  const cleaning = openCleaning();
  const large = openLargeGate();
  const handIn = openHandIn({ sources, ledger, take, large });
  const shortWay = openShortWay({ ...deps, handIn });
  const app = await createServer({
    ...deps,
    publicUrl,
    answerErrorPage,
    findAccountId,
    passBy: shortWay.passBy,
  });
  askForCredentials(app, { ...deps, publicUrl });
  askAgain(app, { ...deps, publicUrl });
  showFindings(app, deps.findings);
  offerInstalling(app, () => delivery.inForce().providers.push?.publicKey ?? null);
  serveWorker(app);
  await serveAssets(app);
  await routeApiDocs(app, publicUrl);
  routeAuth(app, { ...deps, publicUrl });
  routeAlarms(app, deps);
  routeMutes(app, deps);
  routeDowntimes(app, deps);
  routeOnCallApi(app, deps);
  routeLimits(app, deps);
  routeRecommendations(app, deps);
  routeBacktest(app, deps);
  routeHealth(app, {
    ...deps,
    db: deps.engineDb,
    pages: deps.db,
    linkBase,
    startedAt: deps.clock(),
  });
  const pages = { db: deps.db, publicUrl };
  const { signer, clock, log } = deps;
  const { retentionDays } = deps.config;
  const demo = { db: deps.engineDb, clock, log, retentionDays, applyLab: applyDemoLab(deps.engineDb) };
  const fillDemo = openDemoFilling(app, demo);
  routeSetup(app, { ...pages, signer, fillDemo });
  routeSignInPages(app, { ...pages, signer, hasMailServer });
  routeProfilePages(app, {
    ...pages,
    signer,
    providers: () => delivery.inForce().providers,
    allowPrivate: deps.config.isPrivateWebhookAllowed,
  });
  routeSettingsOverview(app, pages);
  routeFirstSteps(app, pages);
  routeDeliveryPages(app, { ...pages, delivery, linkBase });
  routeReadingsPage(app, { ...pages, retentionDays });
  routeMemberPages(app, { ...pages, hasMailServer, linkBase });
  routeInvitationPages(app, { ...pages, hasMailServer });
  routeEquipmentPages(app, { ...pages, bringAlong: openBringAlong(deps) });
  routeGatewayPage(app, pages);
  routeGuidance(app, pages);
  routeSourcePages(app, { ...pages, codecs });
  routeWallPages(app, pages);
  routeFloorPlans(app, { ...pages, cleaning });
  routeSearch(app, pages);
  routeAuditPages(app, { ...pages, historyDb: deps.historyDb });
  routeHistoryPages(app, { ...pages, historyDb: deps.historyDb, showChart: showSpanChart });
  routeOnCallPages(app, { ...pages, signer });
  routeGroupPages(app, {
    ...pages,
    webhooks: { allowPrivate: deps.config.isPrivateWebhookAllowed },
  });
  routeNotificationPages(app, { ...pages, historyDb: deps.historyDb, hasMailServer, signer });
  routeAlarmPages(app, pages);
  routeOverview(app, { ...pages, log });
  routeDowntimePages(app, pages);
  routeHooks(app, {
    db: deps.db,
    settings: () => ({ sms: delivery.inForce().providers.sms, publicUrl: findLinkBase(delivery.inForce()) }),
  });
  routeLive(app, { ...deps, publicUrl });
  const parts = { showRecommendation, showTold };
  routeServicePages(app, { ...pages, historyDb: deps.historyDb, parts, signer });
  routeRescue(app, pages);
  routeDoorPages(app, { ...pages, signer });
  const bodies = openBodies();
  routeTelemetry(app, { sources, bodies, handIn, shortWay });
  routeWaysIn(app, {
    db: deps.engineDb,
    sources,
    bodies,
    take,
    large,
    ledger,
    codecs: openUplinkDecoder(deps.engineDb, codecs),
  });
  app.addHook('onClose', async () => {
    await codecs.close();
    await cleaning.close();
    await ledger.close();
  });
  return app;
}

/** What is left undone here is done by the clock. */
const openBringAlong =
  ({ road, log }: AppDeps) =>
  (now: Date): Promise<void> =>
    road
      .bringAlong(now)
      .catch((error) =>
        log.warn({ err: error }, 'what adopted devices said before could not be brought along'),
      );

/** By the lab file of a demonstration, which is marked as made up. */
export const applyDemoLab =
  (db: Database): DemoDeps['applyLab'] =>
  async (text, now) => {
    const input = { text, fileName: 'demo lab', isDryRun: false };
    const applied = await applyLabFile(db, COMMAND_LINE, input, now);
    if (!applied.ok)
      return refuse(applied.refusal.map(({ path, message }) => `${path}: ${message}`).join('\n'));
    const ids = Object.values(applied.value.ids.organizations) as OrganizationId[];
    await db.transaction(async (tx) => noteMadeUp(tx, ids));
    return ok(applied.value.ids);
  };
