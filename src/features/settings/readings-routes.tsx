import { message } from '../../domain/language/message.ts';
import { foreseeYear } from '../../domain/readings/foresee-year.ts';
import type { MostDays } from '../../domain/readings/retention.ts';
import { selectRetention } from '../../engine/organizations/retention.ts';
import { frameOf, routeDesk } from '../../engine/pages/settings-routes.ts';
import { selectUsage } from '../../engine/readings/usage.ts';
import type { Database } from '../../platform/db/database.ts';
import { showTime } from '../../platform/html/time.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { makeSetRetention, RETENTION_REFUSALS } from './change-retention.ts';
import { READINGS, ReadingsPage } from './readings-view.tsx';

export interface ReadingsPageDeps {
  db: Database;
  publicUrl: () => URL | null;
  retentionDays: MostDays;
}

export const routeReadingsPage = (app: HttpServer, deps: ReadingsPageDeps): void =>
  routeDesk(app, deps, {
    url: READINGS,
    verbs: { retention: makeSetRetention(deps.retentionDays) },
    refusals: RETENTION_REFUSALS,
    done: { retention: message('Saved.') },
    show: async (visit, news) => {
      const { organization, visitor } = visit;
      const usage = await selectUsage(deps.db, organization.id);
      const { readings, bytes, firstAt, countedAt } = usage;
      return (
        <ReadingsPage
          frame={frameOf(visit, news)}
          stored={{
            readings,
            bytes,
            since: firstAt && showTime(firstAt, visitor),
            counted: countedAt && showTime(countedAt, visitor),
          }}
          year={foreseeYear(usage, visitor.now)}
          years={await selectRetention(deps.db, organization.id)}
          mostDays={deps.retentionDays}
          fault={news.fault}
        />
      );
    },
  });
