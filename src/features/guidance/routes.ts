import type { PageDeps } from '../../engine/pages/page-routes.ts';
import type { Database } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { routeGuidanceApi } from './api-routes.ts';
import { routeSharedGuidance } from './shared-routes.tsx';
import { routeUnitGuidance } from './unit-routes.ts';

export function routeGuidance(app: HttpServer, deps: PageDeps & { db: Database }): void {
  routeUnitGuidance(app, deps);
  routeSharedGuidance(app, deps);
  routeGuidanceApi(app, deps);
}
