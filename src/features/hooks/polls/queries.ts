import sql from 'sql-template-tag';
import { IS_IN_USE } from '../../../engine/sql-parts/contact-methods.ts';
import { first, type ReadDatabase } from '../../../platform/db/database.ts';

export const hasTelegram = async (db: ReadDatabase): Promise<boolean> =>
  first(
    await db.query(sql`
      select 1 from contact_method where kind = 'telegram' and ${IS_IN_USE} limit 1`),
  ) !== null;
