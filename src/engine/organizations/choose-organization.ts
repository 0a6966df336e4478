// Whose readings a command is about: a name has to be given only where there are several.
import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';

interface NamedOrganization {
  id: OrganizationId;
  name: string;
}

export async function chooseOrganization(
  db: ReadDatabase,
  name: string | null,
): Promise<Result<NamedOrganization, string>> {
  const organizations = await selectOrganizations(db);
  const list = organizations.map((organization) => `  ${organization.name}`).join('\n');
  const [only] = organizations;
  if (!only) return refuse('There is no organization yet: describe your lab in a file and apply it first');
  if (name === null)
    return organizations.length === 1
      ? ok(only)
      : refuse(`Say whose readings they are with --organization:\n${list}`);
  const named = organizations.find((organization) => organization.name === name);
  return named ? ok(named) : refuse(`There is no organization named ${name}. There is:\n${list}`);
}

const selectOrganizations = (db: ReadDatabase) =>
  db.query<NamedOrganization>(sql`select id, name from organization order by name`);
