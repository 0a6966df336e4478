// The life of a serving program: open, listen, and leave without cutting anybody off.
import type { AddressInfo } from 'node:net';
import sql from 'sql-template-tag';
import { createApp } from './app.ts';
import { startAdvising } from './engine/advise/advising.ts';
import { createClockLoop } from './engine/clock-loop.ts';
import { housekeepingTasks } from './engine/housekeeping.ts';
import { enrolProgram, type ProgramRole } from './engine/programs.ts';
import { makePartitions } from './engine/reading-partitions.ts';
import { openRoad } from './engine/road.ts';
import { measureHealth } from './features/health/metrics.ts';
import { keepSigningSecret } from './platform/auth/signing-secret.ts';
import { createTokenSigner } from './platform/auth/token.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { first } from './platform/db/database.ts';
import { migrate } from './platform/db/migrate.ts';
import { openDatabase } from './platform/db/open-database.ts';
import type { HttpServer } from './platform/http/server.ts';
import type { Log } from './platform/log.ts';
import { createMetrics, listenForScrapes } from './platform/metrics.ts';
import { StartError } from './platform/start-error.ts';

interface ServeDeps {
  config: Config;
  clock: Clock;
  log: Log;
  /** What this program does of the service's work. */
  roles: ProgramRole[];
  say: (line: string) => void;
}

export interface RunningProgram {
  stop(): Promise<void>;
}

export async function serve({ config, clock, log, roles, say }: ServeDeps): Promise<RunningProgram> {
  // Closed in the reverse order, also when a later step of the start fails.
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) {
      await close().catch((error) => log.error({ err: error }, 'could not be closed in order'));
    }
  };

  try {
    const startedAt = clock();
    const db = await openDatabase(config, log, say);
    closers.push(() => db.close());

    const { applied } = await migrate(db, startedAt);
    if (applied.length > 0) say(`Applied ${applied.length} migration(s).`);
    await makePartitions(db, startedAt, config.retentionDays);

    const metrics = config.metrics && createMetrics();
    const road = openRoad({ db, clock, retentionDays: config.retentionDays });
    let address: AddressInfo | null = null;
    if (roles.includes('web')) {
      const signer = createTokenSigner(config.tokenSecret ?? (await keepSigningSecret(db, startedAt)));
      const app = await createApp({ config, clock, log, db, signer, metrics, road });
      address = await listen(app, config);
      closers.push(() => app.close());
    }

    if (config.metrics && metrics) {
      measureHealth(metrics.registry, { db, config, clock, log });
      const listener = await listenForScrapes(metrics, config.metrics, log);
      closers.push(listener.close);
      say(`Metrics on ${listener.url}`);
    }

    const program = enrolProgram(db, roles, startedAt);
    closers.push(() => program.leave());
    // Timers have a loop of their own: they fire on time however long the housekeeping takes.
    const timers = roles.includes('engine') ? [{ name: 'sweep', everySeconds: 1, run: road.sweep }] : [];
    for (const tasks of [timers, housekeepingTasks(db, program, config.retentionDays)]) {
      const loop = createClockLoop({ clock, log }, tasks);
      await loop.tick();
      loop.start();
      closers.push(loop.stop);
    }

    // An external advisor comes by the command line.
    if (roles.includes('advise') && config.advisor !== 'external') {
      closers.push(startAdvising({ db, clock, log, config }).stop);
    }

    say(address ? `Tocsin listens on ${showAddress(config, address)}` : `Tocsin runs as ${roles.join(', ')}`);
    const hasAccounts = first(await db.query(sql`select 1 from account limit 1`)) !== null;
    if (!hasAccounts) sayFirstSteps(say);
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
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

function showAddress({ host, publicUrl, tls }: Config, { port }: AddressInfo): string {
  const scheme = tls ? 'https' : 'http';
  const own = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return publicUrl ? `${own} (${publicUrl.origin})` : own;
}

function sayFirstSteps(say: (line: string) => void): void {
  say('');
  say('Nobody can sign in yet. Describe your lab in a file and apply it, beside this program:');
  say('  cp examples/lab.yaml lab.yaml     then change names, emails and passwords');
  say('  node bin/tocsin.js apply lab.yaml');
  say('or create a single account:');
  say('  node bin/tocsin.js account create --email you@lab.example --name You');
}
