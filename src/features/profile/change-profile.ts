// What people change about themselves.

import { PASSWORD_FAULTS, SHORTEST_PASSWORD } from '../../domain/accounts/password.ts';
import type { SignedIn } from '../../domain/accounts/requester.ts';
import { findChanges } from '../../domain/changes.ts';
import { message } from '../../domain/language/message.ts';
import type { Sayable } from '../../domain/language/sayable.ts';
import { LONGEST_NAME, sayNameTooLong } from '../../domain/names.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { isTimeZone } from '../../domain/time-zone.ts';
import { acceptPassword } from '../../engine/accounts/accept-password.ts';
import { setPassword, updateProfile } from '../../engine/accounts/accounts.ts';
import { lockOwnAccount } from '../../engine/accounts/lock-own-account.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { readLanguageField, UNKNOWN_LANGUAGE } from '../../engine/pages/language-field.tsx';
import { hashPassword } from '../../platform/auth/password.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { FormFields } from '../../platform/http/form-body.ts';

export type ProfileFault = [field: string, text: Sayable];

export async function saveProfile(
  tx: Tx,
  requester: SignedIn,
  { form }: { form: FormFields },
  now: Date,
): Promise<Result<null, ProfileFault>> {
  const name = (form.name ?? '').trim();
  const timezone = (form.timezone ?? '').trim();
  if (name === '')
    return refuse<ProfileFault>(['name', message('Write your name: others see it beside what you do.')]);
  if ([...name].length > LONGEST_NAME) return refuse<ProfileFault>(['name', sayNameTooLong]);
  if (!isTimeZone(timezone))
    return refuse<ProfileFault>([
      'timezone',
      message('There is no such time zone. Choose one from the list, such as Europe/Berlin.'),
    ]);
  const { profile: before } = await lockOwnAccount(tx, requester.accountId);
  const language = readLanguageField(form.language, before?.language ?? null);
  if (!language.ok) return refuse<ProfileFault>(['language', UNKNOWN_LANGUAGE]);
  const after = { name, timezone, language: language.value };
  const changes = findChanges({ ...before }, after);
  if (!before || Object.keys(changes).length === 0) return ok(null);
  await updateProfile(tx, requester.accountId, after);
  const detail = { account: requester.accountId, changes };
  await writeAudit(tx, requester, { action: 'account.edit', detail }, now);
  return ok(null);
}

/** Throttled and on record like a sign-in: whoever found a signed-in browser must not guess on. */
export type CheckPassword = (password: string) => Promise<Result<unknown, { status: number; text: string }>>;

/** All sessions end; the route signs this one in again. */
export async function changePassword(
  db: Database,
  requester: SignedIn,
  { form, checkPassword }: { form: FormFields; checkPassword: CheckPassword },
  now: Date,
): Promise<Result<null, ProfileFault>> {
  const { current_password: current = '', password = '', password_again: again = '' } = form;
  const accepted = acceptPassword(password, requester);
  if (!accepted.ok)
    return refuse<ProfileFault>([
      'password',
      accepted.refusal === 'password_too_short'
        ? ({ say }) => say('A password has at least {least} characters.', { least: SHORTEST_PASSWORD })
        : PASSWORD_FAULTS[accepted.refusal],
    ]);
  if (password !== again)
    return refuse<ProfileFault>(['password_again', message('The two passwords are not the same.')]);
  const checked = await checkPassword(current);
  if (!checked.ok) {
    const { status, text } = checked.refusal;
    return refuse<ProfileFault>([
      'current_password',
      status === 429 ? () => text : message('This is not your current password.'),
    ]);
  }
  const passwordHash = await hashPassword(accepted.value);
  await db.transaction((tx) =>
    setPassword(tx, requester, { accountId: requester.accountId, passwordHash, way: 'itself' }, now),
  );
  return ok(null);
}
