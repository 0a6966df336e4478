// The verbs on the sources of an organization. Records never hold a secret, nor its hash.
import { randomBytes } from 'node:crypto';
import { LONGEST_NAME, readName } from '../../domain/names.ts';
import { ok, refuse } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { deleteSource, insertSource } from '../../engine/ingest/sources.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { SettingsVerb } from '../../engine/pages/settings-routes.ts';
import { hashSourceSecret } from '../../platform/auth/source-secret.ts';

export type SourceRefusal = 'no_name' | 'name_too_long' | 'name_taken' | 'gone';

export const SOURCE_REFUSALS: Record<SourceRefusal, [field: string, text: string]> = {
  no_name: ['name', 'Give the source a name, such as that of the gateway.'],
  name_too_long: ['name', `Choose a name of at most ${LONGEST_NAME} characters.`],
  name_taken: ['name', 'This organization has a source of that name already. Choose another name.'],
  gone: ['source', 'This source is gone: somebody else revoked it or gave it a new secret.'],
};

export interface NewSecret {
  name: string;
  secret: string;
}

const makeSecret = (): string => randomBytes(32).toString('base64url');

export const create: SettingsVerb<SourceRefusal, NewSecret> = async (
  tx,
  requester,
  { organizationId, form },
  now,
) => {
  const read = readName(form.name);
  if (!read.ok) return read;
  const name = read.value;
  const secret = makeSecret();
  const created = await insertSource(tx, organizationId, name, hashSourceSecret(secret), now);
  if (!created) return refuse('name_taken');
  await writeAudit(
    tx,
    requester,
    { action: 'source.create', organizationId, detail: { source: created.id, name } },
    now,
  );
  return ok({ shown: { name, secret } });
};

/** A source of a new id takes its place: programs that remember the old secret know it by the old id. */
export const renew: SettingsVerb<SourceRefusal, NewSecret> = async (
  tx,
  requester,
  { organizationId, form },
  now,
) => {
  const sourceId = readPageId(form.source_id);
  const old = sourceId && (await deleteSource(tx, organizationId, sourceId));
  if (!old) return refuse('gone');
  const secret = makeSecret();
  const made = await insertSource(tx, organizationId, old.name, hashSourceSecret(secret), now);
  if (!made) return refuse('name_taken');
  await writeAudit(
    tx,
    requester,
    {
      action: 'source.renew',
      organizationId,
      detail: { source: made.id, name: old.name, replaces: sourceId },
    },
    now,
  );
  return ok({ shown: { name: old.name, secret } });
};

export const revoke: SettingsVerb<SourceRefusal, NewSecret> = async (
  tx,
  requester,
  { organizationId, form },
  now,
) => {
  const sourceId = readPageId(form.source_id);
  const old = sourceId && (await deleteSource(tx, organizationId, sourceId));
  if (old)
    await writeAudit(
      tx,
      requester,
      { action: 'source.revoke', organizationId, detail: { source: sourceId, name: old.name } },
      now,
    );
  return ok({});
};
