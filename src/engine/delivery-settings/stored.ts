// What a keeper set on pages, sealed at rest.
import sql from 'sql-template-tag';
import { type SealingKey, seal, unseal } from '../../platform/auth/sealing.ts';
import type { ReadDatabase, Tx } from '../../platform/db/database.ts';
import { SET_PROVIDERS, type SetProviderName } from '../providers/providers.ts';
import type { Given } from '../providers/record/read-given.ts';

export const SETTING_NAMES: readonly SettingName[] = [
  'public_url',
  'mail_server',
  'mail_from',
  ...SET_PROVIDERS.map(({ name }) => name),
];
export type SettingName = keyof SettingValues;

/** What each is, once unsealed: of a provider in the words of TOCSIN_CHANNELS. */
export interface SettingValues extends Record<SetProviderName, Given> {
  public_url: { url: string };
  mail_server: StoredMailServer;
  mail_from: { text: string };
}

export interface StoredMailServer {
  host: string;
  port: number;
  tls: 'from_start' | 'required' | 'offered';
  auth: { user: string; password: string } | null;
  /** PEM. */
  ca: string | null;
}

export interface SealedSetting {
  name: SettingName;
  keyId: string;
  sealed: Buffer;
  changedAt: Date;
  changedByName: string;
}

export const selectSealed = (db: ReadDatabase) =>
  db.query<SealedSetting>(sql`
    select name, key_id as "keyId", sealed, changed_at as "changedAt", changed_by_name as "changedByName"
    from delivery_setting order by name`);

export const upsertSetting = <Name extends SettingName>(
  tx: Tx,
  key: SealingKey,
  { name, value, by }: { name: Name; value: SettingValues[Name]; by: string },
  now: Date,
) =>
  tx.query(sql`
    insert into delivery_setting (name, key_id, sealed, changed_at, changed_by_name)
    values (${name}, ${key.id}, ${seal(key, name, JSON.stringify(value))}, ${now}, ${by})
    on conflict (name) do update set key_id = excluded.key_id, sealed = excluded.sealed,
      changed_at = excluded.changed_at, changed_by_name = excluded.changed_by_name`);

export const deleteSetting = async (tx: Tx, name: SettingName): Promise<boolean> =>
  (await tx.query(sql`delete from delivery_setting where name = ${name} returning name`)).length > 0;

/** What can be read of them, and what cannot for want of the key. */
export interface Unsealed {
  values: Partial<SettingValues>;
  unread: SettingName[];
}

export function unsealAll(rows: readonly SealedSetting[], key: SealingKey | null): Unsealed {
  const unsealed: Unsealed = { values: {}, unread: [] };
  for (const { name, keyId, sealed } of rows) {
    const text = key?.id === keyId ? unseal(key, name, sealed) : null;
    if (text === null) unsealed.unread.push(name);
    else Object.assign(unsealed.values, { [name]: JSON.parse(text) as unknown });
  }
  return unsealed;
}
