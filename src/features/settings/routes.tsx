import { message } from '../../domain/language/message.ts';
import { selectLanguage } from '../../engine/organizations/language.ts';
import { frameOf, routeDesk } from '../../engine/pages/settings-routes.ts';
import type { Database } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { countEverything } from './queries.ts';
import { LANGUAGE_REFUSALS, setLanguage } from './set-language.ts';
import { OverviewPage, SETTINGS } from './views.tsx';

export interface OverviewDeps {
  db: Database;
  publicUrl: () => URL | null;
}

export const routeSettingsOverview = (app: HttpServer, deps: OverviewDeps): void =>
  routeDesk(app, deps, {
    url: SETTINGS,
    verbs: { language: setLanguage },
    refusals: LANGUAGE_REFUSALS,
    done: { language: message('Saved.') },
    show: async (visit, news) => (
      <OverviewPage
        frame={frameOf(visit, news)}
        counts={await countEverything(deps.db, visit.organization.id)}
        language={await selectLanguage(deps.db, visit.organization.id)}
        fault={news.fault}
      />
    ),
  });
