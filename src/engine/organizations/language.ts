// In which language an organization reads, where nobody chose another one.
import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { lockNames } from './organizations.ts';

export interface LanguageChange {
  before: string | null;
  after: string | null;
}

/** null: it is so already. */
export async function changeLanguage(
  tx: Tx,
  organizationId: OrganizationId,
  language: string | null,
): Promise<LanguageChange | null> {
  await lockNames(tx, organizationId);
  const before = await selectLanguage(tx, organizationId);
  if (before === language) return null;
  await tx.query(sql`update organization set language = ${language} where id = ${organizationId}`);
  return { before, after: language };
}

/** null: it has chosen none. */
export const selectLanguage = async (
  db: ReadDatabase,
  organizationId: OrganizationId,
): Promise<string | null> =>
  first(
    await db.query<{ language: string | null }>(
      sql`select language from organization where id = ${organizationId}`,
    ),
  )?.language ?? null;
