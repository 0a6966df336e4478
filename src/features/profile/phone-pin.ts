// People choose a PIN for their answers by SMS and in calls. Whoever found a signed-in browser must not: it asks for the password.
import { judgePin, LONGEST_PIN, type PinFault, SHORTEST_PIN } from '../../domain/accounts/phone-pin.ts';
import type { SignedIn } from '../../domain/accounts/requester.ts';
import { message } from '../../domain/language/message.ts';
import type { Sayable } from '../../domain/language/sayable.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { lockOwnAccount } from '../../engine/accounts/lock-own-account.ts';
import { setPinHash } from '../../engine/accounts/phone-pins.ts';
import { queueAccountMail } from '../../engine/accounts/queue-account-mail.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { hashPin } from '../../platform/auth/password.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import type { CheckPassword, ProfileFault } from './change-profile.ts';

const FAULTS: Record<PinFault, Sayable> = {
  not_a_pin: ({ say }) =>
    say('A PIN has {least} to {most} digits, and nothing else.', { least: SHORTEST_PIN, most: LONGEST_PIN }),
  pin_too_obvious: message('This PIN is among the first that others would try. Choose another one.'),
};

interface PinInput {
  form: FormFields;
  checkPassword: CheckPassword;
}

export async function setPin(
  db: Database,
  requester: SignedIn,
  { form, checkPassword }: PinInput,
  now: Date,
): Promise<Result<null, ProfileFault>> {
  const { pin = '', pin_again: again = '' } = form;
  const accepted = judgePin(pin);
  if (!accepted.ok) return refuse<ProfileFault>(['pin', FAULTS[accepted.refusal]]);
  if (pin !== again) return refuse<ProfileFault>(['pin_again', message('The two PINs are not the same.')]);
  const fault = await findPasswordFault(form, checkPassword);
  if (fault) return refuse(fault);
  const pinHash = await hashPin(accepted.value);
  await db.transaction((tx) => storePin(tx, requester, pinHash, now));
  return ok(null);
}

export async function removePin(
  db: Database,
  requester: SignedIn,
  { form, checkPassword }: PinInput,
  now: Date,
): Promise<Result<null, ProfileFault>> {
  const fault = await findPasswordFault(form, checkPassword);
  if (fault) return refuse(fault);
  await db.transaction((tx) => storePin(tx, requester, null, now));
  return ok(null);
}

async function findPasswordFault(
  { current_password: password = '' }: FormFields,
  checkPassword: CheckPassword,
): Promise<ProfileFault | null> {
  const checked = await checkPassword(password);
  if (checked.ok) return null;
  const { status, text } = checked.refusal;
  return ['current_password', status === 429 ? () => text : message('This is not your password.')];
}

async function storePin(tx: Tx, requester: SignedIn, pinHash: string | null, now: Date): Promise<void> {
  const { accountId } = requester;
  await lockOwnAccount(tx, accountId);
  if (!(await setPinHash(tx, accountId, pinHash))) return;
  await queueAccountMail(tx, { accountId, kind: 'phone_pin_changed', authorName: null }, now);
  const action = pinHash === null ? 'account.remove_phone_pin' : 'account.set_phone_pin';
  await writeAudit(tx, requester, { action, detail: { account: accountId } }, now);
}
