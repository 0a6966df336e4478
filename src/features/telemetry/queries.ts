import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import type { SourceSettings } from '../../domain/ways-in/source-settings.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

export interface Source {
  sourceId: number;
  organizationId: OrganizationId;
  settings: SourceSettings;
  /** It failed again and again. */
  isCodecOff?: boolean;
}

export const selectSourceBySecret = async (db: ReadDatabase, secretHash: Buffer) =>
  first(
    await db.query<Source>(sql`
      select id as "sourceId", organization_id as "organizationId", settings,
        codec_off_at is not null as "isCodecOff"
      from source where secret_hash = ${secretHash}`),
  );
