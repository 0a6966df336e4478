// Those who may post readings, each by its secret.
import sql, { type Sql } from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import type { SourceSettings } from '../../domain/ways-in/source-settings.ts';
import type { SourceKind } from '../../domain/ways-in/ways.ts';
import { type Database, first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { packInts } from '../../platform/db/pack-numbers.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { keeping } from '../mosts/keep-most.ts';

/** Those that still exist. */
export const selectSources = (sourceIds: ReadonlySet<number>): Statement<{ id: number }> => sql`
  select id from source where id = any(${packInts([...sourceIds])}::int[])`;

export const areStillThere = (sourceIds: ReadonlySet<number>): Sql => sql`
  (select count(*) from source where id = any(${packInts([...sourceIds])}::int[])) = ${sourceIds.size}::int`;

export interface NewSource {
  organizationId: OrganizationId;
  name: string;
  secretHash: Buffer;
  kind: SourceKind;
  settings: SourceSettings;
}

/** null: the name is taken. */
export const insertSource = async (tx: Tx, source: NewSource, now: Date) =>
  first(
    await keeping(
      tx,
      'sources',
      [source.organizationId],
      tx.query<{ id: number }>(sql`
      insert into source (organization_id, name, secret_hash, kind, settings, created_at)
      values (${source.organizationId}, ${source.name}, ${source.secretHash}, ${source.kind},
        ${JSON.stringify(source.settings)}, ${now})
      on conflict (organization_id, name) do nothing returning id`),
    ),
  );

interface OwnSource {
  organizationId: OrganizationId;
  id: number;
}

/** Under a new id, by which programs that remember the old secret find out at its next post. null: it is gone. */
export const replaceSecret = async (
  tx: Tx,
  { organizationId, id }: OwnSource,
  secretHash: Buffer,
  now: Date,
) =>
  first(
    await tx.query<{ id: number; name: string; kind: SourceKind }>(sql`
      update source set id = default, secret_hash = ${secretHash}, created_at = ${now}
      where organization_id = ${organizationId} and id = ${id} returning id, name, kind`),
  );

/** Under a new id, by which programs that remember how it spoke find out at its next post. null: it is gone. */
export const replaceSettings = async (
  tx: Tx,
  { organizationId, id }: OwnSource,
  { kind, settings }: Pick<NewSource, 'kind' | 'settings'>,
) =>
  first(
    await tx.query<{ id: number; name: string }>(sql`
      update source set id = default, kind = ${kind}, settings = ${JSON.stringify(settings)},
        codec_off_at = null, codec_off_reason = null, codec_failures = 0
      where organization_id = ${organizationId} and id = ${id} returning id, name`),
  );

interface CodecState {
  /** In a row, in whichever program. */
  failures: number;
  isOff: boolean;
}

const CODEC_STATE = sql`codec_failures as "failures", codec_off_at is not null as "isOff"`;

export const selectCodecState = async (db: ReadDatabase, sourceId: number) =>
  first(await db.query<CodecState>(sql`select ${CODEC_STATE} from source where id = ${sourceId}`));

/** Under the same id, so that its page stays where it is. With the last of them it is switched off. */
export const countCodecFailure = async (
  db: Database,
  { sourceId, reason, most }: { sourceId: number; reason: string; most: number },
  now: Date,
) =>
  first(
    await db.query<CodecState>(sql`
      update source set codec_failures = codec_failures + 1,
        codec_off_at = case when codec_failures + 1 >= ${most} then coalesce(codec_off_at, ${now}) end,
        codec_off_reason = case when codec_failures + 1 >= ${most} then coalesce(codec_off_reason, ${reason}) end
      where id = ${sourceId} returning ${CODEC_STATE}`),
  );

/** It did well, unless it was switched off meanwhile. */
export const calmCodec = (db: Database, sourceId: number) =>
  db.query(sql`
    update source set codec_failures = 0 where id = ${sourceId} and codec_failures > 0 and codec_off_at is null`);

/** null: it is gone already. */
export const deleteSource = async (tx: Tx, { organizationId, id }: OwnSource) =>
  first(
    await tx.query<{ name: string }>(sql`
      delete from source where organization_id = ${organizationId} and id = ${id} returning name`),
  );
