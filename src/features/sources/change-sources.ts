// The verbs on the sources of an organization. Records never hold a secret, nor its hash.
import { randomBytes } from 'node:crypto';
import { ok, refuse } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { deleteSource, insertSource } from '../../engine/ingest/sources.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import { type Ask, inTransaction } from '../../engine/pages/settings-routes.ts';
import { hashSourceSecret } from '../../platform/auth/source-secret.ts';
import type { Tx } from '../../platform/db/database.ts';

export type SourceRefusal = 'no_name' | 'name_too_long' | 'name_taken' | 'gone';

export const SOURCE_REFUSALS: Record<SourceRefusal, [field: string, text: string]> = {
  no_name: ['name', 'Give the source a name, such as that of the gateway.'],
  name_too_long: ['name', 'Choose a name of at most 200 characters.'],
  name_taken: ['name', 'This organization has a source of that name already. Choose another name.'],
  gone: ['source', 'This source is gone: somebody else revoked it or gave it a new secret.'],
};

export interface NewSecret {
  name: string;
  secret: string;
}

const LONGEST_NAME = 200;
const makeSecret = (): string => randomBytes(32).toString('base64url');

export const create = inTransaction<SourceRefusal, NewSecret>(async (tx, ask) => {
  const name = (ask.form.name ?? '').trim();
  if (name === '') return refuse('no_name');
  if ([...name].length > LONGEST_NAME) return refuse('name_too_long');
  const secret = makeSecret();
  const created = await insertSource(tx, ask.organization.id, name, hashSourceSecret(secret), ask.now);
  if (!created) return refuse('name_taken');
  await record(tx, ask, 'source.create', { source: created.id, name });
  return ok({ shown: { name, secret } });
});

/** A source of a new id takes its place: programs that remember the old secret know it by the old id. */
export const renew = inTransaction<SourceRefusal, NewSecret>(async (tx, ask) => {
  const sourceId = readPageId(ask.form.source_id);
  const old = sourceId && (await deleteSource(tx, ask.organization.id, sourceId));
  if (!old) return refuse('gone');
  const secret = makeSecret();
  const made = await insertSource(tx, ask.organization.id, old.name, hashSourceSecret(secret), ask.now);
  if (!made) return refuse('name_taken');
  await record(tx, ask, 'source.renew', { source: made.id, name: old.name, replaces: sourceId });
  return ok({ shown: { name: old.name, secret } });
});

export const revoke = inTransaction<SourceRefusal, NewSecret>(async (tx, ask) => {
  const sourceId = readPageId(ask.form.source_id);
  const old = sourceId && (await deleteSource(tx, ask.organization.id, sourceId));
  if (old) await record(tx, ask, 'source.revoke', { source: sourceId, name: old.name });
  return ok({});
});

const record = (tx: Tx, { actor, organization, now }: Ask, action: string, detail: Record<string, unknown>) =>
  writeAudit(tx, actor, { action, organizationId: organization.id, detail }, now);
