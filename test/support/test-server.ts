import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect } from 'vitest';
import { createApp } from '../../src/app.ts';
import {
  type DeliverySettings,
  openDeliverySettings,
} from '../../src/engine/delivery-settings/delivery-settings.ts';
import { type ProgramConfig, readEnvironment } from '../../src/engine/delivery-settings/read-environment.ts';
import { openRoad, type Road, type RoadDeps } from '../../src/engine/ingest/road.ts';
import { enrolProgram } from '../../src/engine/self-watch/programs.ts';
import { createWatch, type Watch } from '../../src/engine/self-watch/watch.ts';
import { openHouseKey } from '../../src/platform/auth/house-key.ts';
import { createTokenSigner, type TokenSigner } from '../../src/platform/auth/token.ts';
import type { Database } from '../../src/platform/db/database.ts';
import type { HttpServer } from '../../src/platform/http/server.ts';
import { createMovableClock, type MovableClock } from './movable-clock.ts';
import { settled } from './settled-delivery.ts';
import { spreadRequests } from './spread-requests.ts';
import { cloneDatabase } from './test-database.ts';
import { whenFileIsDone } from './when-file-is-done.ts';

export interface TestServer {
  url: string;
  db: Database;
  clock: MovableClock;
  signer: TokenSigner;
  road: Road;
  /** Of a program that only answers; strikes when a test lets it. */
  watch: Watch;
  /** What the server logged, line by line. */
  logLines: string[];
  /** Every program learns what keepers set meanwhile, as each does every two seconds. */
  learnDelivery(): Promise<void>;
}

/** How many programs answer the requests of a test, in turns: as behind a load balancer. */
export const PROGRAMS = Number(process.env.TOCSIN_TEST_PROGRAMS ?? 1);

/** The real application on a real port and a database of its own, stopped when the test file is done. */
export async function startServer(
  overrides: Partial<ProgramConfig> = {},
  memory: Pick<RoadDeps, 'mostRemembered'> = {},
): Promise<TestServer> {
  const { db } = await cloneDatabase();
  return startServerOn(db, overrides, undefined, memory);
}

export async function startServerOn(
  db: Database,
  overrides: Partial<ProgramConfig> = {},
  extend: (app: HttpServer) => void = () => {},
  memory: Pick<RoadDeps, 'mostRemembered'> = {},
): Promise<TestServer> {
  const clock = createMovableClock();
  const signer = createTokenSigner(Buffer.alloc(32, 'test signing secret'));
  const logLines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) });
  const program = enrolProgram(db, ['web'], clock.read());
  const measureHost = async () => ({ clockAheadMs: 0, disk: null });
  const watch = createWatch({ db, log, program, measureHost });
  const undocumented: string[] = [];
  /** Some tests have no database that could be asked. */
  const openDelivery = (config: ProgramConfig): Promise<DeliverySettings> =>
    openDeliverySettings({ db, environment: config, key: openHouseKey(config) }, clock.read()).catch(() => {
      const inForce = settled(config);
      return {
        inForce,
        refresh: async () => inForce(),
        environment: config,
        key: openHouseKey(config),
        task: { name: '', everySeconds: 1, run: inForce as never },
      };
    });
  /** Each remembers by itself what a program remembers. */
  const deliveries: DeliverySettings[] = [];
  const startProgram = async () => {
    const road = openRoad({ db, clock: clock.read, retentionDays: 400, ...memory });
    const config = { ...readEnvironment({}), key: Buffer.alloc(32, 'test key'), ...overrides };
    const delivery = await openDelivery(config);
    deliveries.push(delivery);
    const app = await createApp({
      config,
      delivery,
      clock: clock.read,
      log,
      db,
      engineDb: db,
      historyDb: db,
      signer,
      metrics: null,
      road,
      findings: watch.findings,
    });
    app.addHook('onSend', async (request, reply) => {
      const documented = (request.routeOptions.schema as { response?: object } | undefined)?.response;
      if (request.is404 || !documented || String(reply.statusCode) in documented) return;
      undocumented.push(`${request.method} ${request.routeOptions.url} ${reply.statusCode}`);
    });
    extend(app);
    return { road, app };
  };

  const { road, app } = await startProgram();
  const others: HttpServer[] = [];
  while (others.length < PROGRAMS - 1) others.push((await startProgram()).app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  if (others.length > 0) await spreadRequests(app, others);
  whenFileIsDone(async () => {
    await Promise.all([app, ...others].map((one) => one.close()));
    expect(undocumented, 'answers that the interface description does not mention').toEqual([]);
  });

  const { port } = app.server.address() as AddressInfo;
  const learnDelivery = async () => {
    await Promise.all(deliveries.map(({ refresh }) => refresh()));
  };
  return { url: `http://127.0.0.1:${port}`, db, clock, signer, road, watch, logLines, learnDelivery };
}
