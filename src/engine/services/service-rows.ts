import sql, { raw, type Sql } from 'sql-template-tag';
import type { ServiceSettings } from '../../domain/equipment/service-settings.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { giveColumns, SETTINGS_COLUMNS } from '../sql-parts/settings.ts';
import type { ReconfiguringTx } from './reconfigure-services.ts';

export interface ServiceFields {
  key: string | null;
  name: string;
  assetId: number | null;
  /** Which kind of equipment it is, by a word of domain/equipment/templates.ts; null: nobody said so. */
  template: string | null;
}

const SERVICE_COLUMNS: Record<keyof ServiceFields, string> = {
  key: 'key text',
  name: 'name text',
  assetId: 'asset_id int',
  template: 'template text',
};

export const GIVEN_SERVICE = giveColumns(SERVICE_COLUMNS);

/** `metricChannel`: chosen last in the edit form; null: none, or the service-wide limits. */
type SettingsFields = ServiceSettings & { metricChannel: string | null };

interface RowChanges<Row> {
  id: ServiceId;
  changes: Partial<Row>;
}

/** Names and places, by which nothing is judged. One statement, however many. What a row's changes do not name stays. */
export const updateServices = (tx: Tx, rows: RowChanges<ServiceFields>[]): void =>
  tx.later(sql`
    update service set ${assign(SERVICE_COLUMNS)}
    from jsonb_to_recordset(${JSON.stringify(rows)}) as given (id int, changes jsonb) where service.id = given.id`);

export const updateSettings = (tx: ReconfiguringTx, rows: RowChanges<SettingsFields>[]): void =>
  tx.later(sql`
    update service_settings set ${assign({ metricChannel: 'metric_channel text', ...SETTINGS_COLUMNS })}
    from jsonb_to_recordset(${JSON.stringify(rows)}) as given (id int, changes jsonb) where service_id = given.id`);

const assign = (columns: Record<string, string>): Sql =>
  raw(
    Object.entries(columns)
      .map(([field, definition]) => {
        const [column, type] = definition.split(' ');
        return `${column} = case when changes ? '${field}' then (changes->>'${field}')::${type} else ${column} end`;
      })
      .join(', '),
  );
