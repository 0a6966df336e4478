// Pages and acts of a unit that the visitor may see.
import type { FastifyReply } from 'fastify';
import { roleIn } from '../../domain/accounts/requester.ts';
import type { Role } from '../../domain/accounts/role.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { answerErrorPage } from '../../engine/pages/answer-page.ts';
import { type PageDeps, readPageId, routePage, type Visit } from '../../engine/pages/page-routes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { Database } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { selectUnit, type Unit } from './queries.ts';

export interface RescueDeps extends PageDeps {
  db: Database;
}

export type SignedInVisit = Visit & { visitor: Visitor };
export type SeenUnit = Unit & { role: Role };

export const openUnitRoutes =
  (app: HttpServer, deps: RescueDeps) =>
  (
    method: 'GET' | 'POST',
    url: string,
    show: (visit: SignedInVisit, unit: SeenUnit) => Promise<FastifyReply>,
    { evenIfArchived }: { evenIfArchived: boolean } = { evenIfArchived: false },
  ): void =>
    routePage(app, deps, {
      method,
      url,
      show: async (visit) => {
        const { reply, visitor, params } = visit;
        const serviceId = readPageId<ServiceId>(params.service_id);
        const unit = serviceId && (await selectUnit(deps.db, serviceId));
        const role = unit && roleIn(visitor, unit.organizationId);
        return unit && role && (evenIfArchived || !unit.isArchived)
          ? show(visit, { ...unit, role })
          : answerErrorPage(reply, 404);
      },
    });
