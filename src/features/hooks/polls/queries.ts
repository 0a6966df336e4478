import sql from 'sql-template-tag';
import { first, type ReadDatabase } from '../../../platform/db/database.ts';

export const hasTelegram = async (db: ReadDatabase): Promise<boolean> =>
  first(
    await db.query(sql`
      select 1 from contact_method where kind = 'telegram' and verified_at is not null and disabled_at is null limit 1`),
  ) !== null;
