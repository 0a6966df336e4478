// The HTTP interface put together: the bare server, then each room's routes.

import { h } from 'preact';
import { COMMAND_LINE } from './domain/accounts/requester.ts';
import type { AccountId, OrganizationId } from './domain/ids.ts';
import { ok, refuse } from './domain/result.ts';
import type { Finding } from './domain/self-watch.ts';
import { openCodecDesk } from './engine/codecs/codec-desk.ts';
import { openCodecs } from './engine/codecs/codecs.ts';
import type { DeliverySettings } from './engine/delivery-settings/delivery-settings.ts';
import { findLinkBase, ownAddress } from './engine/delivery-settings/in-force.ts';
import { noteMadeUp } from './engine/first-steps/first-steps.ts';
import type { Road } from './engine/ingest/road.ts';
import { answerErrorPage, offerInstalling, showFindings } from './engine/pages/answer-page.ts';
import { readPageId } from './engine/pages/page-routes.ts';
import { askForCredentials, findAccountId } from './engine/requests/credentials.ts';
import type { SignIn } from './engine/requests/requester-of.ts';
import { openSourceLedger } from './engine/sources/source-ledger.ts';
import { acknowledge } from './features/alarms/acknowledge.ts';
import { routeAlarmPages } from './features/alarms/page-routes.ts';
import { routeAlarms } from './features/alarms/routes.ts';
import { takeOverOrAcknowledge } from './features/alarms/take-over-or-acknowledge.ts';
import { routeApiDocs } from './features/api-docs/routes.tsx';
import { routeAuditPages } from './features/audit/routes.tsx';
import { routeAuth } from './features/auth/routes.ts';
import { describeSignInRefusal, signIn } from './features/auth/sign-in.ts';
import { signInByPasskey } from './features/auth/sign-in-by-passkey.ts';
import { routeBacktest } from './features/backtest/routes.ts';
import { routeDeliveryPages } from './features/delivery/routes.tsx';
import { cancelDowntime } from './features/downtimes/cancel-downtime.ts';
import { routeDowntimePages, showDowntimeForm } from './features/downtimes/page-routes.ts';
import { routeDowntimes } from './features/downtimes/routes.ts';
import { scheduleDowntime } from './features/downtimes/schedule-downtime.ts';
import { routeGatewayPage } from './features/equipment/gateways.tsx';
import { routeEquipmentPages } from './features/equipment/routes.tsx';
import { routeFirstSteps } from './features/first-steps/routes.tsx';
import { routeGroupPages } from './features/groups/routes.ts';
import { routeHealth } from './features/health/routes.ts';
import { routeHooks } from './features/hooks/routes.ts';
import { routeInvitationPages } from './features/invitations/routes.tsx';
import { applyLabFile } from './features/lab-file/apply-lab-file.ts';
import { routeLive } from './features/live/routes.ts';
import { routeMemberPages } from './features/members/routes.tsx';
import { loadMuteControl } from './features/mutes/load-control.ts';
import { type MutedService, mute } from './features/mutes/mute.ts';
import { muteByPage } from './features/mutes/mute-by-page.ts';
import { routeMutes } from './features/mutes/routes.ts';
import { unmute } from './features/mutes/unmute.ts';
import { MuteControl } from './features/mutes/views.tsx';
import { selectNotifications } from './features/notifications/queries.ts';
import { routeNotificationPages } from './features/notifications/routes.ts';
import { readStepsTaken } from './features/notifications/steps-taken.ts';
import { ToldPanel } from './features/notifications/steps-view.tsx';
import { describeTold } from './features/notifications/told-model.ts';
import { routeOnCallApi } from './features/on-call/api-routes.ts';
import { routeOnCallPages } from './features/on-call/routes.ts';
import { routeProfilePages } from './features/profile/routes.tsx';
import { applyRecommendation } from './features/recommendations/apply-recommendation.ts';
import { toPanel } from './features/recommendations/panel-model.ts';
import { readRecommendation } from './features/recommendations/read-recommendation.ts';
import { recommend } from './features/recommendations/recommend.ts';
import { findResultId } from './features/recommendations/result-id.ts';
import { routeRecommendations } from './features/recommendations/routes.ts';
import { RecommendationPanel } from './features/recommendations/views.tsx';
import { deleteBand } from './features/services/limits/delete-band.ts';
import { editService } from './features/services/limits/edit-service.ts';
import { selectLimitsInForce } from './features/services/limits/queries.ts';
import { readEditForm } from './features/services/limits/read-edit-form.ts';
import { readLimitsHistory } from './features/services/limits/read-limits-history.ts';
import { routeLimits } from './features/services/limits/routes.ts';
import { routeServicePages } from './features/services/routes.ts';
import type { ServicePageParts } from './features/services/shown-service/page-parts.ts';
import { routeReadingsPage } from './features/settings/readings-routes.tsx';
import { routeSettingsOverview } from './features/settings/routes.tsx';
import { routeSetup } from './features/setup/routes.ts';
import { routeSignInPages, type SignInPageDeps } from './features/sign-in/routes.ts';
import { fillBeside } from './features/simulation/demo/fill-beside.ts';
import type { DemoDeps, RunningDemo } from './features/simulation/demo/open-demo.ts';
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
import type { Reader } from './platform/html/time.tsx';
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
  showFindings(app, deps.findings);
  offerInstalling(app, () => delivery.inForce().channels.push?.publicKey ?? null);
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
  const signInByPage: SignIn<ReturnType<typeof describeSignInRefusal>> = async (
    requester,
    credentials,
    now,
  ) => {
    const signedIn = await signIn(deps, requester, credentials, now);
    return signedIn.ok ? signedIn : refuse(describeSignInRefusal(signedIn.refusal));
  };
  const signInByPasskeyPage: SignInPageDeps['signInByPasskey'] = async (requester, given, now) => {
    const signedIn = await signInByPasskey(deps, requester, given, now);
    return signedIn.ok ? signedIn : refuse(describeSignInRefusal(signedIn.refusal));
  };
  routeSetup(app, { ...pages, signIn: signInByPage, fillDemo: openDemoDesk(app, deps) });
  const { signer } = deps;
  routeSignInPages(app, {
    ...pages,
    signer,
    signIn: signInByPage,
    signInByPasskey: signInByPasskeyPage,
    hasMailServer,
  });
  routeProfilePages(app, {
    ...pages,
    signer,
    signIn: signInByPage,
    channels: () => delivery.inForce().channels,
    allowPrivate: deps.config.isPrivateWebhookAllowed,
  });
  routeSettingsOverview(app, pages);
  routeFirstSteps(app, pages);
  routeDeliveryPages(app, { ...pages, delivery, linkBase });
  routeReadingsPage(app, { ...pages, retentionDays: deps.config.retentionDays });
  routeMemberPages(app, { ...pages, hasMailServer, linkBase });
  routeInvitationPages(app, { ...pages, hasMailServer });
  routeEquipmentPages(app, { ...pages, bringAlong: openBringAlong(deps) });
  routeGatewayPage(app, pages);
  routeSourcePages(app, { ...pages, codecs });
  routeWallPages(app, pages);
  routeAuditPages(app, { ...pages, historyDb: deps.historyDb });
  routeOnCallPages(app, { ...pages, signer });
  routeGroupPages(app, {
    db: deps.db,
    publicUrl,
    webhooks: { allowPrivate: deps.config.isPrivateWebhookAllowed },
  });
  routeNotificationPages(app, {
    db: deps.db,
    historyDb: deps.historyDb,
    publicUrl,
    hasMailServer,
    acknowledge,
    signer,
  });
  routeAlarmPages(app, {
    db: deps.db,
    publicUrl,
    mute: (tx, requester, { serviceId, form }, now) =>
      muteByPage(tx, requester, { serviceId, reason: form.reason, span: form.minutes }, now),
    unmute,
    showMuteControl,
    showDowntimeForm,
  });
  routeDowntimePages(app, { db: deps.db, publicUrl });
  routeHooks(app, {
    db: deps.db,
    settings: () => ({ sms: delivery.inForce().channels.sms, publicUrl: findLinkBase(delivery.inForce()) }),
    acknowledge: takeOverOrAcknowledge,
  });
  routeLive(app, { ...deps, publicUrl });
  const { db, historyDb } = deps;
  routeServicePages(app, { db, historyDb, publicUrl, parts: gatherServiceParts(db, historyDb) });
  const bodies = openBodies();
  routeTelemetry(app, { sources, bodies, handIn, shortWay });
  routeWaysIn(app, {
    db: deps.engineDb,
    sources,
    bodies,
    take,
    large,
    ledger,
    codecs: openCodecDesk(deps.engineDb, codecs),
  });
  app.addHook('onClose', async () => {
    await codecs.close();
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

const showMuteControl = async (db: ReadDatabase, service: MutedService, reader: Reader) =>
  h(MuteControl, await loadMuteControl(db, service, reader));

/** What the page of a service takes from other rooms. */
const gatherServiceParts = (db: Database, historyDb: ReadDatabase): ServicePageParts => ({
  verbs: {
    'schedule-downtime': (tx, requester, { serviceId, form }, now) => {
      const { start_time: startTime = '', end_time: endTime = '', reason = '' } = form;
      return scheduleDowntime(tx, requester, { serviceId, startTime, endTime, reason }, now);
    },
    'cancel-downtime': (tx, requester, { form }, now) =>
      cancelDowntime(tx, requester, { downtimeId: readPageId(form.downtime_id) ?? 0 }, now),
    'delete-band': deleteBand,
    recommend,
    'apply-recommendation': (tx, requester, { serviceId, form }, now) =>
      applyRecommendation(
        tx,
        requester,
        { serviceId, resultId: findResultId(form.result_id ?? '') ?? '0' },
        now,
      ),
  },
  edit: (tx, requester, { serviceId, form }, now) =>
    editService(tx, requester, { serviceId, fields: form }, now),
  readLimitsInForce: (serviceId) => selectLimitsInForce(db, serviceId),
  // Whoever has just changed them finds the change; what came before it may be older.
  readLimitsHistory: (serviceId, before) => readLimitsHistory(before ? historyDb : db, serviceId, before),
  readEditForm: (serviceId, channel) => readEditForm(db, serviceId, channel),
  showRecommendation: async (visitor, serviceId) => {
    const read = await readRecommendation(db, visitor, serviceId);
    return read.ok ? h(RecommendationPanel, toPanel(read.value, visitor)) : null;
  },
  showMuteControl: (service, reader) => showMuteControl(db, service, reader),
  showTold: async (visitor, { id, role }) => {
    const newest = await selectNotifications(db, id, { before: null, limit: 5 });
    const steps = await readStepsTaken(db, id, { ...visitor, role });
    return h(ToldPanel, { steps, told: await describeTold(db, newest, { ...visitor, role }) });
  },
});

/** What a demonstration takes from other rooms. */
export const gatherDemoParts = (db: Database): Pick<DemoDeps, 'verbs' | 'applyLab'> => ({
  verbs: {
    acknowledge: (requester, given, now) => db.transaction((tx) => acknowledge(tx, requester, given, now)),
    mute: (requester, given, now) => db.transaction((tx) => mute(tx, requester, given, now)),
    scheduleDowntime: (requester, wanted, now) =>
      db.transaction((tx) => scheduleDowntime(tx, requester, wanted, now)),
    editService: async (requester, { serviceId, channel, fields }, now) => {
      const standing = await readEditForm(db, serviceId, channel);
      const edit = { serviceId, fields: { ...standing, ...fields } };
      return db.transaction((tx) => editService(tx, requester, edit, now));
    },
    recommend: (requester, serviceId, now) =>
      db.transaction((tx) => recommend(tx, requester, { serviceId }, now)),
  },
  applyLab: async (text, now) => {
    const input = { text, fileName: 'demo lab', isDryRun: false };
    const applied = await applyLabFile(db, COMMAND_LINE, input, now);
    if (applied.ok) {
      const ids = Object.values(applied.value.ids.organizations) as OrganizationId[];
      await db.transaction(async (tx) => noteMadeUp(tx, ids));
      return ok(applied.value.ids);
    }
    return refuse(applied.refusal.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  },
});

/** Fills the demo lab in behind the pages, and stops it with them. */
function openDemoDesk(
  app: HttpServer,
  { engineDb: db, clock, log, config }: AppDeps,
): (owner: AccountId) => void {
  let filling: Promise<RunningDemo | null> = Promise.resolve(null);
  app.addHook('preClose', async () => (await filling)?.stop());
  const say = (line: string) => log.info(line);
  const { retentionDays } = config;
  return (owner) => {
    const parts = gatherDemoParts(db);
    filling = fillBeside({ db, clock, log, retentionDays, say, ...parts }, owner).catch((error) => {
      log.error({ err: error }, 'the demo lab could not be filled in');
      return null;
    });
  };
}
