import { Readable } from 'node:stream';
import { answerPage } from '../../engine/pages/answer-page.ts';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import { routeSettingsPage, type SettingsVisit } from '../../engine/pages/settings-routes.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { describeRecord } from './describe-record.tsx';
import { exportAudit } from './export-audit.ts';
import { selectActions, selectAudit } from './queries.ts';
import { readCursor, readSearch, typedSearchOf, writeCursor } from './read-search.ts';
import { AUDIT, AuditPage } from './views.tsx';

const PAGE_ROWS = 50;

export interface AuditPageDeps {
  db: ReadDatabase;
  historyDb: ReadDatabase;
  publicUrl: () => URL | null;
}

export function routeAuditPages(app: HttpServer, deps: AuditPageDeps): void {
  const { historyDb } = deps;

  const showPage = async ({ reply, visitor, organization, organizations, query }: SettingsVisit) => {
    const typed = typedSearchOf(query);
    const { search, faults } = readSearch(typed, visitor.timezone);
    const below = readCursor(query.below);
    const [rows, actions] = await Promise.all([
      faults.length > 0 ? [] : selectAudit(historyDb, organization.id, search, below, PAGE_ROWS + 1),
      selectActions(historyDb, organization.id),
    ]);
    const shown = rows.slice(0, PAGE_ROWS);
    const last = rows.length > PAGE_ROWS ? shown.at(-1) : undefined;
    const words = Object.fromEntries(Object.entries(typed).filter(([, text]) => text !== ''));
    const olderPath = last
      ? settingsPath(AUDIT, organization, {
          ...words,
          below: writeCursor({ at: last.cursorAt, id: last.id }),
        })
      : null;
    return answerPage(
      reply,
      faults.length > 0 ? 422 : 200,
      <AuditPage
        visitor={visitor}
        organization={organization}
        organizations={organizations}
        typed={typed}
        faults={faults}
        actions={actions}
        records={shown.map((row) => describeRecord(row, visitor))}
        olderPath={olderPath}
        isFirstPage={below === null}
      />,
    );
  };

  routeSettingsPage(app, deps, { method: 'GET', url: AUDIT, show: showPage });

  routeSettingsPage(app, deps, {
    method: 'GET',
    url: `${AUDIT}.csv`,
    show: (visit) => {
      const { reply, visitor, organization, query } = visit;
      const { search, faults } = readSearch(typedSearchOf(query), visitor.timezone);
      if (faults.length > 0) return showPage(visit);
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="audit-${organization.id}.csv"`)
        .type('text/csv; charset=utf-8')
        .send(Readable.from(exportAudit(historyDb, organization.id, search)));
    },
  });
}
