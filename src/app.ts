// The HTTP interface put together: the bare server, then each room's routes.

import type { Road } from './engine/road.ts';
import { routeAlarms } from './features/alarms/routes.ts';
import { routeApiDocs } from './features/api-docs/routes.tsx';
import { routeAuth } from './features/auth/routes.ts';
import { routeBacktest } from './features/backtest/routes.ts';
import { routeDowntimes } from './features/downtimes/routes.ts';
import { routeHealth } from './features/health/routes.ts';
import { routeLimits } from './features/limits/routes.ts';
import { routeMutes } from './features/mutes/routes.ts';
import { routeRecommendations } from './features/recommendations/routes.ts';
import { routeTelemetry } from './features/telemetry/routes.ts';
import { rememberSources } from './features/telemetry/sources.ts';
import type { TokenSigner } from './platform/auth/token.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { Database } from './platform/db/database.ts';
import { serveAssets } from './platform/html/assets.ts';
import { createServer, type HttpServer } from './platform/http/server.ts';
import type { Log } from './platform/log.ts';
import type { Metrics } from './platform/metrics.ts';

export interface AppDeps {
  config: Config;
  clock: Clock;
  log: Log;
  db: Database;
  signer: TokenSigner;
  road: Road;
  metrics: Metrics | null;
}

export async function createApp(deps: AppDeps): Promise<HttpServer> {
  const { publicUrl } = deps.config;
  const app = await createServer({ ...deps, publicUrl });
  await serveAssets(app);
  await routeApiDocs(app, publicUrl);
  routeAuth(app, { ...deps, publicUrl });
  routeAlarms(app, deps);
  routeMutes(app, deps);
  routeDowntimes(app, deps);
  routeLimits(app, deps);
  routeRecommendations(app, deps);
  routeBacktest(app, deps);
  routeHealth(app, { ...deps, startedAt: deps.clock() });
  routeTelemetry(app, { sources: rememberSources(deps.db), take: deps.road.take });
  return app;
}
