import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import type { Refused } from '../../domain/readings/refused.ts';
import type { SourceSettings } from '../../domain/ways-in/source-settings.ts';
import type { SourceKind } from '../../domain/ways-in/ways.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

export interface Source {
  id: number;
  name: string;
  kind: SourceKind;
  createdAt: Date;
  lastSeenAt: Date | null;
  /** Reasons for which something of it was refused. */
  refusals: number;
}

export const selectSources = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<Source>(sql`
    select id, name, kind, created_at as "createdAt", last_seen_at as "lastSeenAt",
      (select count(*)::int from source_refusal where source_id = source.id) as "refusals"
    from source where organization_id = ${organizationId} order by name`);

interface SourceDetail extends Omit<Source, 'refusals'> {
  settings: SourceSettings;
  lastBody: Buffer | null;
  /** Under which it came by MQTT. */
  lastTopic: string | null;
  /** Since when its codec is switched off, and what it did last. */
  codecOffAt: Date | null;
  codecOffReason: string | null;
}

export const selectSource = async (db: ReadDatabase, organizationId: OrganizationId, id: number) =>
  first(
    await db.query<SourceDetail>(sql`
      select id, name, kind, settings, last_body as "lastBody", last_topic as "lastTopic", codec_off_at as "codecOffAt",
        codec_off_reason as "codecOffReason", created_at as "createdAt", last_seen_at as "lastSeenAt"
      from source where organization_id = ${organizationId} and id = ${id}`),
  );

export interface Refusal {
  why: Refused;
  count: number;
  lastAt: Date;
  sample: Buffer;
}

/** Those that came last first. */
export const selectRefusals = (db: ReadDatabase, sourceId: number) =>
  db.query<Refusal>(sql`
    select coalesce(why, json_build_object('code', 'said', 'text', reason)::jsonb) as "why", count::float8 as "count", last_at as "lastAt", sample
    from source_refusal where source_id = ${sourceId} order by last_at desc, reason`);

/** Those that wait to be adopted and came through this source last. */
export const selectHeardDevices = (
  db: ReadDatabase,
  organizationId: OrganizationId,
  name: string,
  most: number,
) =>
  db.query<{ id: number; key: string; model: string | null }>(sql`
    select id, key, model from device
    where organization_id = ${organizationId} and service_id is null and heard_from = ${name}
    order by last_seen_at desc nulls last, id limit ${most}`);
