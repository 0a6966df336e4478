// Which sources of The Things Stack are to be asked for what was missed, and up to when they were.
import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import type { SourceSettings } from '../../domain/ways-in/source-settings.ts';
import { type Database, first } from '../../platform/db/database.ts';

export interface DueCatchUp {
  sourceId: number;
  organizationId: OrganizationId;
  settings: SourceSettings;
  isCodecOff: boolean;
  caughtUpUntil: Date | null;
}

interface UnderWay {
  /** Of each source that is asked. */
  organizations: readonly OrganizationId[];
  /** Those that may have no more. */
  full: readonly OrganizationId[];
}

/**
 * For this program alone until then: of whoever has the fewest under way the one that waits for longest; null: none is due that
 * may begin.
 */
export async function claimCatchUp(
  db: Database,
  { organizations, full }: UnderWay,
  until: Date,
  now: Date,
): Promise<DueCatchUp | null> {
  await db.query(sql`
    insert into source_catch_up (source_id, next_at, claimed_until)
    select id, ${now}, ${now} from source
    where kind = 'tts' and settings ? 'storage' and id not in (select source_id from source_catch_up)
    on conflict do nothing`);
  return first(
    await db.query<DueCatchUp>(sql`
      update source_catch_up set claimed_until = ${until}
      from source
      where source.id = source_id and kind = 'tts' and settings ? 'storage' and source_id = (
        select source_id from source_catch_up join source on source.id = source_id
        where next_at <= ${now} and claimed_until <= ${now} and kind = 'tts' and settings ? 'storage'
          and organization_id <> all(${full}::int[])
        order by (select count(*) from unnest(${organizations}::int[]) as busy (id) where busy.id = organization_id), next_at
        limit 1 for update of source_catch_up skip locked)
      returning source_id as "sourceId", organization_id as "organizationId", settings,
        codec_off_at is not null as "isCodecOff", caught_up_until as "caughtUpUntil"`),
  );
}

/** So far; whoever goes on goes on from there. Never back, should two have done it. */
export const markCaughtUp = (db: Database, sourceId: number, until: Date) =>
  db.query(sql`
    update source_catch_up set caught_up_until = greatest(caught_up_until, ${until}) where source_id = ${sourceId}`);

export const leaveCatchUp = (db: Database, sourceId: number, nextAt: Date, now: Date) =>
  db.query(sql`
    update source_catch_up set next_at = ${nextAt}, claimed_until = ${now} where source_id = ${sourceId}`);
