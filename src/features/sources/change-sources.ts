// The verbs on the sources of an organization. Records never hold a secret, nor its hash.
import { createHash, randomBytes } from 'node:crypto';
import { message } from '../../domain/language/message.ts';
import type { Sayable } from '../../domain/language/sayable.ts';
import { readName, sayNameTooLong } from '../../domain/names.ts';
import { ok, refuse } from '../../domain/result.ts';
import { hideKey, KEY_AGAIN, keepKey } from '../../domain/ways-in/kept-key.ts';
import type { SourceSettings } from '../../domain/ways-in/source-settings.ts';
import { SOURCE_KINDS, type SourceKind } from '../../domain/ways-in/ways.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { SettingsVerb } from '../../engine/pages/settings-routes.ts';
import { forgetRefusals } from '../../engine/sources/ledger-rows.ts';
import {
  deleteSource,
  insertSource,
  replaceSecret,
  replaceSettings,
} from '../../engine/sources/source-rows.ts';
import { hashSourceSecret } from '../../platform/auth/source-secret.ts';
import { SOURCES } from './paths.ts';
import { selectSource } from './queries.ts';
import { readSettingsForm } from './settings-text.ts';

export type SourceRefusal =
  | 'no_name'
  | 'name_too_long'
  | 'name_taken'
  | 'gone'
  | 'bad_settings'
  | 'key_again';

export const SOURCE_REFUSALS: Record<SourceRefusal, [field: string, text: Sayable]> = {
  no_name: ['name', message('Give the source a name, such as that of the gateway.')],
  name_too_long: ['name', sayNameTooLong],
  name_taken: ['name', message('This organization has a source of that name already. Choose another name.')],
  gone: ['source', message('This source is gone: somebody else revoked it or gave it a new secret.')],
  bad_settings: ['settings', message('These settings were not saved.')],
  key_again: ['settings', KEY_AGAIN],
};

export interface NewSecret {
  id: number;
  name: string;
  kind: SourceKind;
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
  const kind = SOURCE_KINDS.find((known) => known === form.kind) ?? 'tocsin';
  const source = { organizationId, name, secretHash: hashSourceSecret(secret), kind, settings: {} };
  const created = await insertSource(tx, source, now);
  if (!created) return refuse('name_taken');
  await writeAudit(
    tx,
    requester,
    { action: 'source.create', organizationId, detail: { source: created.id, name, kind } },
    now,
  );
  return ok({ shown: { id: created.id, name, secret, kind } });
};

export const renew: SettingsVerb<SourceRefusal, NewSecret> = async (
  tx,
  requester,
  { organizationId, form },
  now,
) => {
  const sourceId = readPageId(form.source_id);
  const secret = makeSecret();
  const made =
    sourceId && (await replaceSecret(tx, { organizationId, id: sourceId }, hashSourceSecret(secret), now));
  if (!made) return refuse('gone');
  await writeAudit(
    tx,
    requester,
    {
      action: 'source.renew',
      organizationId,
      detail: { source: made.id, name: made.name, replaces: sourceId },
    },
    now,
  );
  return ok({ shown: { id: made.id, name: made.name, kind: made.kind, secret } });
};

export const revoke: SettingsVerb<SourceRefusal, NewSecret> = async (
  tx,
  requester,
  { organizationId, form },
  now,
) => {
  const sourceId = readPageId(form.source_id);
  const old = sourceId && (await deleteSource(tx, { organizationId, id: sourceId }));
  if (old)
    await writeAudit(
      tx,
      requester,
      { action: 'source.revoke', organizationId, detail: { source: sourceId, name: old.name } },
      now,
    );
  return ok({});
};

/** On the page of one source, which has a new address afterwards. */
export const change: SettingsVerb<SourceRefusal, NewSecret> = async (
  tx,
  requester,
  { organizationId, params, form },
  now,
) => {
  const sourceId = readPageId(params.source_id);
  const settings = await readSettingsForm(form, requester.language);
  const kind = SOURCE_KINDS.find((known) => known === form.kind);
  if (!settings.ok || !kind) return refuse('bad_settings');
  const before = sourceId && (await selectSource(tx, organizationId, sourceId));
  if (!before) return refuse('not_found');
  const kept = keepKey(settings.value, before.settings);
  if (!kept.ok) return kept;
  const changed = await replaceSettings(tx, { organizationId, id: sourceId }, { kind, settings: kept.value });
  if (!changed) return refuse('not_found');
  const detail = {
    source: changed.id,
    name: changed.name,
    replaces: sourceId,
    kind,
    settings: describeSettings(settings.value),
  };
  await writeAudit(tx, requester, { action: 'source.change', organizationId, detail }, now);
  return ok({ to: `${SOURCES}/${changed.id}` });
};

/** A codec is told by its digest: it is long, and stands on the page of its source. */
const describeSettings = ({ codec, ...settings }: SourceSettings): object =>
  codec === undefined
    ? hideKey(settings)
    : { ...hideKey(settings), codec: `sha256 ${createHash('sha256').update(codec).digest('hex')}` };

/** So that what comes from now on can be told from what was. */
export const forget: SettingsVerb<SourceRefusal, NewSecret> = async (tx, _, { organizationId, params }) => {
  const sourceId = readPageId(params.source_id);
  if (!sourceId || !(await selectSource(tx, organizationId, sourceId))) return refuse('not_found');
  await forgetRefusals(tx, sourceId);
  return ok({});
};
