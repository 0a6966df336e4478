// People say how they are told. What they type in gets nothing but a code until they have typed that in too.

import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { SignedIn } from '../../domain/accounts/requester.ts';
import type { ContactMethodId } from '../../domain/ids.ts';
import { MOSTS } from '../../domain/mosts.ts';
import { METHOD_KINDS } from '../../domain/on-call/contact-method.ts';
import { DURINGS } from '../../domain/on-call/lab-hours.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import {
  countWrongCode,
  deleteMethod,
  insertMethod,
  lockMethod,
  type MethodTimes,
  markProved,
  type OwnMethod,
  releaseSubscription,
  selectMethods,
  spendCode,
  storeCode,
  updateMethod,
} from '../../engine/accounts/contact-methods.ts';
import { type LockedAccountId, lockOwnAccount } from '../../engine/accounts/lock-own-account.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import {
  isOffered,
  kindOf,
  type PersonMethodKind,
  type ProviderSettings,
} from '../../engine/providers/providers.ts';
import type { Subscription } from '../../engine/providers/push/write-push.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { FormFields } from '../../platform/http/form-body.ts';

const CODE_LIFETIME_MS = 15 * 60_000;
const MOST_WRONG_CODES = 5;

export type MethodRefusal =
  | 'no_such_method'
  | 'no_such_kind'
  | 'not_an_address'
  | 'no_secret'
  | 'not_minutes'
  | 'known_already'
  | 'too_many'
  | 'too_many_codes'
  | 'wrong_code'
  | 'code_is_over';

/** What is to be sent once the transaction has committed. */
export interface CodeToSend {
  id: ContactMethodId;
  kind: PersonMethodKind;
  address: string;
  secret: string | null;
  code: string;
}

export async function addMethod(
  tx: Tx,
  requester: SignedIn,
  { form, providers }: { form: FormFields; providers: ProviderSettings },
  now: Date,
): Promise<Result<CodeToSend | null, MethodRefusal>> {
  const kind = METHOD_KINDS.find((known) => known === form.kind);
  if (!kind) return refuse('no_such_kind');
  const times = readTimes(form);
  if (!times) return refuse('not_minutes');
  const read =
    kind === 'email' ? ok({ address: requester.email, secret: null }) : readWay(kind, form, providers);
  if (!read.ok) return read;
  const { accountId } = await lockOwnAccount(tx, requester.accountId);
  if ((await selectMethods(tx, accountId)).length >= MOSTS.contactMethods.most) return refuse('too_many');
  const method = { kind, ...read.value, isVerified: kind === 'email', ...times };
  const id = await insertMethod(tx, accountId, method, now);
  if (id === null) return refuse('known_already');
  await writeAudit(tx, requester, { action: 'account.add_contact', detail: { kind } }, now);
  return kind === 'email' ? ok(null) : makeCode(tx, accountId, { id, kind, ...read.value }, now);
}

function readWay(
  kind: PersonMethodKind,
  form: FormFields,
  providers: ProviderSettings,
): Result<{ address: string; secret: string | null }, MethodRefusal> {
  const { isOfBrowser, readAddress, secretLabel, needsSecret } = kindOf(kind);
  if (isOfBrowser || !isOffered(kind, providers)) return refuse('no_such_kind');
  const address = readAddress(form.address ?? '');
  if (address === null) return refuse('not_an_address');
  const secret = secretLabel === null ? null : (form.secret ?? '').trim() || null;
  if (needsSecret && secret === null) return refuse('no_secret');
  return secret === null || /^[\x21-\x7e]{1,500}$/.test(secret)
    ? ok({ address, secret })
    : refuse('no_secret');
}

/** null: no minutes from 0 to a day. */
function readTimes({
  after_minutes: after = '0',
  only_critical: only,
  during = 'always',
}: FormFields): MethodTimes | null {
  const known = DURINGS.find((one) => one === during);
  const minutes = after.trim() === '' ? 0 : Number(after);
  if (!known || !Number.isInteger(minutes) || minutes < 0 || minutes > 1440) return null;
  return { afterMinutes: minutes, onlyCritical: only === 'on', during: known };
}

/** A browser proves itself: what it subscribed with nobody else can know. */
export async function addSubscription(
  tx: Tx,
  requester: SignedIn,
  { subscription }: { subscription: Subscription },
  now: Date,
): Promise<Result<null, MethodRefusal>> {
  const { endpoint: address, p256dh, auth } = subscription;
  const { accountId } = await lockOwnAccount(tx, requester.accountId);
  await releaseSubscription(tx, accountId, address);
  if ((await selectMethods(tx, accountId)).length >= MOSTS.contactMethods.most) return refuse('too_many');
  const secret = JSON.stringify({ p256dh, auth });
  const times = { afterMinutes: 0, onlyCritical: false, during: 'always' as const };
  const made = await insertMethod(
    tx,
    accountId,
    { kind: 'push', address, secret, isVerified: true, ...times },
    now,
  );
  if (made === null) return refuse('known_already');
  await writeAudit(tx, requester, { action: 'account.add_contact', detail: { kind: 'push' } }, now);
  return ok(null);
}

export async function sendCodeAgain(
  tx: Tx,
  requester: SignedIn,
  { id }: { id: ContactMethodId },
  now: Date,
): Promise<Result<CodeToSend, MethodRefusal>> {
  const { accountId } = await lockOwnAccount(tx, requester.accountId);
  const method = await lockMethod(tx, accountId, id);
  if (!method || method.kind === 'email' || kindOf(method.kind).isOfBrowser) return refuse('no_such_method');
  return makeCode(tx, accountId, { ...method, kind: method.kind }, now);
}

async function makeCode(
  tx: Tx,
  accountId: LockedAccountId,
  { id, kind, address, secret }: Omit<CodeToSend, 'code'>,
  now: Date,
): Promise<Result<CodeToSend, MethodRefusal>> {
  if (!(await spendCode(tx, accountId, now))) return refuse('too_many_codes');
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await storeCode(tx, id, hashCode(id, code), new Date(now.getTime() + CODE_LIFETIME_MS));
  return ok({ id, kind, address, secret, code });
}

const hashCode = (id: ContactMethodId, code: string): Buffer =>
  createHash('sha256').update(`contact method ${id} ${code}`).digest();

/** A few wrong ones end the code, so that nobody guesses on. */
export async function proveMethod(
  tx: Tx,
  requester: SignedIn,
  { id, code }: { id: ContactMethodId; code: string },
  now: Date,
): Promise<Result<OwnMethod, MethodRefusal>> {
  const method = await lockMethod(tx, requester.accountId, id);
  if (!method) return refuse('no_such_method');
  const { codeHash, codeExpiresAt, codeFailures } = method;
  if (!codeHash || !codeExpiresAt || codeExpiresAt <= now || codeFailures >= MOST_WRONG_CODES)
    return refuse('code_is_over');
  if (!timingSafeEqual(codeHash, hashCode(id, code.replaceAll(/\s/g, '')))) {
    await countWrongCode(tx, id);
    return refuse('wrong_code');
  }
  await markProved(tx, requester.accountId, id, now);
  await writeAudit(tx, requester, { action: 'account.prove_contact', detail: { kind: method.kind } }, now);
  return ok(method);
}

export async function changeMethod(
  tx: Tx,
  requester: SignedIn,
  { id, form }: { id: ContactMethodId; form: FormFields },
  now: Date,
): Promise<Result<null, MethodRefusal>> {
  const times = readTimes(form);
  if (!times) return refuse('not_minutes');
  const method = await lockMethod(tx, requester.accountId, id);
  if (!method) return refuse('no_such_method');
  await updateMethod(tx, requester.accountId, id, times, now);
  const detail = {
    kind: method.kind,
    after_minutes: times.afterMinutes,
    only_critical: times.onlyCritical,
    during: times.during,
  };
  await writeAudit(tx, requester, { action: 'account.change_contact', detail }, now);
  return ok(null);
}

export async function removeMethod(
  tx: Tx,
  requester: SignedIn,
  { id }: { id: ContactMethodId },
  now: Date,
): Promise<Result<null, MethodRefusal>> {
  const gone = await deleteMethod(tx, requester.accountId, id, now);
  if (!gone) return refuse('no_such_method');
  await writeAudit(tx, requester, { action: 'account.remove_contact', detail: { kind: gone.kind } }, now);
  return ok(null);
}
