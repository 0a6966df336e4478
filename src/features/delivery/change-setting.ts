// A keeper sets how messages leave, or takes it back.
import type { SignedIn } from '../../domain/accounts/requester.ts';
import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import { ok, type Result } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import {
  deleteSetting,
  type SettingName,
  type SettingValues,
  selectSealed,
  unsealAll,
  upsertSetting,
} from '../../engine/delivery-settings/stored.ts';
import type { SealingKey } from '../../platform/auth/sealing.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import { type FormFault, fault } from './read-field.ts';
import { READERS } from './read-forms.ts';

const OTHER_KEY = message(
  'Nothing was stored: what is stored already takes another key than this program has. Give every program on this database the same TOCSIN_KEY; or remove what cannot be read, and set it anew.',
);

export async function storeSetting<Name extends SettingName>(
  tx: Tx,
  requester: SignedIn,
  { name, form, key, language }: { name: Name; form: FormFields; key: SealingKey; language: Language },
  now: Date,
): Promise<Result<null, FormFault>> {
  const rows = await selectSealed(tx);
  // One key for all of them: else each program would read what it stored itself, and nothing else.
  if (rows.some(({ keyId }) => keyId !== key.id)) return fault('', language.say(OTHER_KEY));
  const before = unsealAll(rows, key).values[name] as SettingValues[Name] | undefined;
  const read = READERS[name](form, before ?? null, language);
  if (!read.ok) return read;
  await upsertSetting(tx, key, { name, value: read.value, by: requester.name }, now);
  await writeAudit(tx, requester, { action: 'delivery.set', detail: { setting: name } }, now);
  return ok(null);
}

export async function removeSetting(
  tx: Tx,
  requester: SignedIn,
  { name }: { name: SettingName },
  now: Date,
): Promise<Result<null, FormFault>> {
  if (await deleteSetting(tx, name))
    await writeAudit(tx, requester, { action: 'delivery.remove', detail: { setting: name } }, now);
  return ok(null);
}
