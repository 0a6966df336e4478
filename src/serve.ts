// The life of a serving program: open, listen, and leave without cutting anybody off.
import type { AddressInfo } from 'node:net';
import sql from 'sql-template-tag';
import { applyDemoLab, createApp } from './app.ts';
import { startAdvising } from './engine/advice/advising.ts';
import { createDeliveryMetrics } from './engine/delivery/delivery-metrics.ts';
import { openDeliverySettings } from './engine/delivery-settings/delivery-settings.ts';
import { findLinkBase, ownAddress } from './engine/delivery-settings/in-force.ts';
import type { ProgramConfig } from './engine/delivery-settings/read-environment.ts';
import { openRoad, type Road } from './engine/ingest/road.ts';
import { type Mailer, NO_MAIL_LEAVES, openMailer } from './engine/mail/mailer.ts';
import { countSent } from './engine/outbox/receipts.ts';
import { openPackThread } from './engine/packing/pack-thread.ts';
import { startDelivering } from './engine/program/delivering.ts';
import { housekeepingTasks } from './engine/program/housekeeping.ts';
import { PREPARING } from './engine/program/prepare-migrations.ts';
import { followReplica } from './engine/self-watch/follow-replica.ts';
import { measureHost } from './engine/self-watch/measure-host.ts';
import { recordEnds, selectSetAside } from './engine/self-watch/program-ends.ts';
import { enrolProgram, type ProgramRole } from './engine/self-watch/programs.ts';
import { createWatch } from './engine/self-watch/watch.ts';
import { createEmailTransport } from './engine/transports/email/email.ts';
import { createMethodTransport } from './engine/transports/method/method.ts';
import { createWebhookTransport } from './engine/transports/webhook/webhook.ts';
import { backUpBeforeMigrating } from './features/backup/before-migrating.ts';
import { measureHealth } from './features/health/metrics.ts';
import { startPolls } from './features/hooks/polls/start-polls.ts';
import { makeSetupCode } from './features/setup/setup-code.ts';
import { withChatRoom } from './features/simulation/demo/chat-room.tsx';
import { openDemo } from './features/simulation/demo/open-demo.ts';
import { selectDemonstration } from './features/simulation/demo/queries.ts';
import { startCatchingUp } from './features/telemetry/catch-up/catching-up.ts';
import { startReceiving } from './features/telemetry/mqtt/receiving.ts';
import { openHouseKey } from './platform/auth/house-key.ts';
import { keepSigningSecret } from './platform/auth/signing-secret.ts';
import { createTokenSigner } from './platform/auth/token.ts';
import type { Clock } from './platform/clock.ts';
import { createClockLoop } from './platform/clock-loop.ts';
import type { Config } from './platform/config.ts';
import { first, type PooledDatabase } from './platform/db/database.ts';
import { migrate } from './platform/db/migrate.ts';
import { openDatabase, openReplica } from './platform/db/open-database.ts';
import type { HttpServer } from './platform/http/server.ts';
import type { Log } from './platform/log.ts';
import type { LogOutput } from './platform/log-output.ts';
import { createMetrics, listenForScrapes } from './platform/metrics.ts';
import { setAside } from './platform/process/in-hand.ts';
import type { Parent } from './platform/process/own-parent.ts';
import { StartError } from './platform/start-error.ts';

interface ServeDeps {
  config: ProgramConfig;
  clock: Clock;
  log: Log;
  /** Where the log goes. */
  logOutput: LogOutput;
  /** What this program does of the service's work. */
  roles: ProgramRole[];
  isDemo?: boolean;
  /** Knows how the programs before this one ended; null or missing: there is none. */
  parent?: Pick<Parent, 'askEnds' | 'sayRecorded'> | null;
  say: (line: string) => void;
}

/** What takes longer goes on beside the next sweep. */
const SWEEP_PATIENCE_MS = 1_000;

export interface RunningProgram {
  stop(): Promise<void>;
}

export async function serve({
  config,
  clock,
  log,
  logOutput,
  roles,
  isDemo,
  say,
  parent,
}: ServeDeps): Promise<RunningProgram> {
  // Stopped side by side, so that nobody goes on taking work because another takes its time. What they use is closed after
  // that, in the reverse order. Also when a later step of the start fails.
  const workers: (() => Promise<unknown>)[] = [];
  const closers: (() => Promise<unknown>)[] = [];
  const end = (close: () => Promise<unknown>) =>
    close().catch((error) => log.error({ err: error }, 'could not be closed in order'));
  const stop = async () => {
    await Promise.all(workers.splice(0).map(end));
    for (const close of closers.splice(0).reverse()) await end(close);
  };

  try {
    // With the first error Node reads which line is whose, for a twentieth of a second: now, while nobody waits for it.
    void new Error().stack;
    const startedAt = clock();
    const db = await openDatabase(config, log, say);
    closers.push(() => db.close());

    const before = backUpBeforeMigrating(db, config, startedAt, say);
    const { applied } = await migrate(db, startedAt, {
      say,
      preparing: PREPARING,
      ...(before && { before }),
    });
    if (applied.length > 0) say(`Applied ${applied.length} migration(s).`);

    if (parent) {
      await recordEnds(db, await parent.askEnds(), startedAt);
      parent.sayRecorded();
    }
    const learnSetAside = async () => setAside(await selectSetAside(db));
    await learnSetAside();

    if (isDemo) {
      const { retentionDays } = config;
      const demo = await openDemo({ db, clock, log, retentionDays, say, applyLab: applyDemoLab(db) });
      if (!demo.ok) throw new StartError(demo.refusal);
      workers.push(demo.value.stop);
    }

    const delivery = await openDeliverySettings(
      { db, environment: config, key: openHouseKey(config) },
      startedAt,
    );
    const metrics = config.metrics && createMetrics(logOutput);
    const road = openRoad({ db, clock, retentionDays: config.retentionDays });
    const program = enrolProgram(db, roles, startedAt);
    program.noteUnread(() => delivery.inForce().unread);
    const { clusterDir } = db;
    const watch = createWatch({
      db,
      log,
      program,
      measureHost: () => measureHost({ db, clock, clusterDir }),
    });
    const followed = config.readUrl === null ? null : followReplicaAt(config.readUrl, db, log);
    if (followed) closers.push(followed.close);
    const signer = createTokenSigner(config.tokenSecret ?? (await keepSigningSecret(db, startedAt)));
    let address: AddressInfo | null = null;
    if (roles.includes('web')) {
      const app = await createApp({
        config,
        delivery,
        clock,
        log,
        db: db.forPages,
        engineDb: db,
        historyDb: followed?.db ?? db.forPages,
        signer,
        metrics,
        road,
        findings: watch.findings,
      });
      address = await listen(app, config);
      workers.push(() => app.close());
    }

    if (roles.includes('mqtt') && (config.mqtt || config.brokers.length > 0)) {
      const receiving = await startReceiving({ config, clock, log, db, road, metrics });
      workers.push(receiving.stop);
      program.listensForMqtt(receiving.urls);
      if (receiving.urls.length > 0) say(`MQTT on ${receiving.urls.join(' and ')}`);
    }

    if (config.metrics && metrics) {
      measureHealth(metrics.registry, { db, pages: db.forPages, config, clock, log });
      const listener = await listenForScrapes(metrics, config.metrics, log);
      closers.push(listener.close);
      say(`Metrics on ${listener.url}`);
    }

    closers.push(() => program.leave());
    await watch.task.run(clock());
    const sweep = program.noting('sweep', (now) => road.sweep(now, SWEEP_PATIENCE_MS));
    const setBack = (now: Date) => setBackAloud(road, log, now);
    const timers = [
      { name: 'sweep', everySeconds: 1, run: sweep },
      { name: 'set-back', everySeconds: 60, run: setBack },
      { name: 'bring-along', everySeconds: 5, run: road.bringAlong },
    ];
    const packThread = openPackThread(log);
    closers.push(packThread.close);
    program.noteLostPacking(packThread.lostAt);
    const housekeeping = housekeepingTasks({
      db,
      log,
      retentionDays: config.retentionDays,
      packMany: packThread.pack,
    });
    const loop = createClockLoop({ clock, log }, [
      watch.task,
      delivery.task,
      // Another program may have set it aside, or somebody said that it may come again.
      { name: 'set-aside', everySeconds: 15, run: learnSetAside },
      ...(followed ? [followed.task] : []),
      ...(roles.includes('engine') ? timers : []),
      ...housekeeping,
    ]);
    loop.start();
    workers.push(loop.stop);

    if (roles.includes('engine')) {
      const outbound = { allowPrivate: config.isPrivateWebhookAllowed };
      workers.push(startCatchingUp({ db, clock, log, take: road.take, outbound }).stop);
    }

    if (roles.includes('deliver')) {
      // Connections of their own: mails about accounts that hang must not hold up an alarm.
      const [mailer, accountMailer] = [0, 1].map(() => openMailer({ settings: delivery.inForce, db })) as [
        Mailer,
        Mailer,
      ];
      closers.push(mailer.close, accountMailer.close);
      if (delivery.inForce().mail.kind === 'kept') say(NO_MAIL_LEAVES);
      const own = ownAddress(config, address ?? config);
      const publicUrl = () => findLinkBase(delivery.inForce()) ?? own;
      const webhook = createWebhookTransport({ publicUrl, allowPrivate: config.isPrivateWebhookAllowed });
      const delivering = startDelivering({
        db,
        clock,
        log,
        publicUrl,
        signer,
        mailer: accountMailer,
        program,
        transports: {
          email: createEmailTransport({ mailer, log }),
          method: createMethodTransport({
            settings: () => ({
              providers: delivery.inForce().providers,
              publicUrl: publicUrl(),
              hooks: findLinkBase(delivery.inForce()),
            }),
            allowPrivate: config.isPrivateWebhookAllowed,
            countSent: (id, since) => countSent(db, id, since),
          }),
          webhook: (await selectDemonstration(db)) ? withChatRoom(db, webhook) : webhook,
        },
        metrics: metrics && createDeliveryMetrics(metrics.registry),
        heartbeatUrl: config.heartbeatUrl,
        outbound: { allowPrivate: config.isPrivateWebhookAllowed },
      });
      workers.push(delivering.stop);
      const settings = () => ({
        providers: delivery.inForce().providers,
        hasHooks: delivery.inForce().publicUrl !== null,
      });
      workers.push(startPolls({ db, clock, log, settings }).stop);
    }

    // An external advisor comes by the command line.
    if (roles.includes('advise') && config.advisor !== 'external') {
      workers.push(startAdvising({ db, clock, log, config }).stop);
    }

    // Asked before anything is said: a program that listens does not end because its database is slow.
    const hasAccounts = first(await db.query(sql`select 1 from account limit 1`)) !== null;
    const setupCode = hasAccounts ? null : address && (await makeSetupCode(db, startedAt));
    say(
      address
        ? `Tocsin listens on ${showAddress(config, address, delivery.inForce().publicUrl)}`
        : `Tocsin runs as ${roles.join(', ')}`,
    );
    if (!hasAccounts) sayFirstSteps(say, setupCode);
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function followReplicaAt(readUrl: string, db: PooledDatabase, log: Log) {
  const replica = openReplica(readUrl, log);
  return { ...followReplica({ replica, primary: db.forPages, log }), close: () => replica.close() };
}

async function setBackAloud(road: Road, log: Log, now: Date): Promise<void> {
  const found = await road.setBack(now);
  if (found)
    log.warn(
      { services: found.services, aheadSeconds: Math.round(found.aheadMs / 1000) },
      'readings were dated ahead of the clock of this host: it was set back, or the clock of another host is ahead. They are judged as they arrive',
    );
}

async function listen(app: HttpServer, { host, port }: Config): Promise<AddressInfo> {
  try {
    await app.listen({ host, port });
    return app.server.address() as AddressInfo;
  } catch (error) {
    throw new StartError(
      `Cannot listen on ${host}:${port}: ${(error as Error).message}. Set HOST or PORT to another.`,
    );
  }
}

function showAddress(config: Config, address: AddressInfo, publicUrl: URL | null): string {
  const own = ownAddress(config, address);
  return publicUrl ? `${own} (${publicUrl.origin})` : own;
}

/** Without a code there is no page to type it into. */
function sayFirstSteps(say: (line: string) => void, code: string | null): void {
  say('');
  if (code !== null) {
    say(
      `Nobody can sign in yet. Open the page /setup there and make the first account with the code ${code}`,
    );
    say('or describe your lab in a file and apply it, beside this program:');
  } else say('Nobody can sign in yet. Describe your lab in a file and apply it, beside this program:');
  say('  cp examples/lab.yaml lab.yaml     then change names, emails and passwords');
  say('  node bin/tocsin.js apply lab.yaml');
  say('or create a single account:');
  say('  node bin/tocsin.js account create --email you@lab.example --name You');
}
