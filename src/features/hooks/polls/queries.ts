import sql from 'sql-template-tag';
import type { MethodKind } from '../../../domain/on-call/contact-method.ts';
import { IS_IN_USE } from '../../../engine/sql-parts/contact-methods.ts';
import { first, type ReadDatabase } from '../../../platform/db/database.ts';

export const hasMethod = async (db: ReadDatabase, kind: MethodKind): Promise<boolean> =>
  first(
    await db.query(sql`
      select 1 from contact_method where kind = ${kind} and ${IS_IN_USE} limit 1`),
  ) !== null;
