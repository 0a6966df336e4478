// Who takes whose turn. Operators stand in themselves, administrators appoint anybody; a swap is two stand-ins at once.

import { roleIn, type SignedIn } from '../../domain/accounts/requester.ts';
import { canAdminister, canOperate } from '../../domain/accounts/role.ts';
import type { AccountId } from '../../domain/ids.ts';
import { parseTypedTime } from '../../domain/local-time.ts';
import { MOSTS } from '../../domain/mosts.ts';
import { findDuty, findShift, LONGEST_STAND_IN_DAYS } from '../../domain/on-call/rota.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { AuditAction } from '../../domain/words/audit-words.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import {
  countStandIns,
  endStandIn,
  insertStandIns,
  type NewStandIn,
  readRota,
  type StoredRota,
} from '../../engine/on-call/rotas.ts';
import { toRota } from '../../engine/outbox/ladders.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import { selectMembers } from './queries.ts';

export type StandInRefusal =
  | 'no_such_rota'
  | 'not_permitted'
  | 'no_such_member'
  | 'not_a_time'
  | 'not_later'
  | 'too_long'
  | 'too_many'
  | 'no_such_shift'
  | 'same_person';

export type StandInVerb = (
  tx: Tx,
  requester: SignedIn,
  input: { rotaId: number; form: FormFields },
  now: Date,
) => Promise<Result<null, StandInRefusal>>;

const LONGEST_MS = LONGEST_STAND_IN_DAYS * 24 * 60 * 60_000;

/** Those who may not see a rota do not learn that it exists. */
async function findRota(tx: Tx, requester: SignedIn, rotaId: number, now: Date): Promise<StoredRota | null> {
  const rota = await readRota(tx, rotaId, now);
  return rota && roleIn(requester, rota.organizationId) ? rota : null;
}

/** From now until the time that is said, or else until the shift is over. */
export const takeOver: StandInVerb = async (tx, requester, { rotaId, form }, now) => {
  const rota = await findRota(tx, requester, rotaId, now);
  if (!rota) return refuse('no_such_rota');
  if (!canOperate(roleIn(requester, rota.organizationId))) return refuse('not_permitted');
  const shiftEnd = findShift(toRota(rota), now)?.endAt;
  const said = form.end ? parseTypedTime(form.end, requester.timezone) : null;
  if (said && !said.ok) return refuse('not_a_time');
  const endAt = said?.ok ? said.value : shiftEnd;
  if (!endAt) return refuse('not_a_time');
  if (endAt <= now) return refuse('not_later');
  const span = { startAt: now, endAt, accountId: requester.accountId };
  return write(tx, requester, rota, span, form, now);
};

export const appoint: StandInVerb = async (tx, requester, { rotaId, form }, now) => {
  const rota = await findRota(tx, requester, rotaId, now);
  if (!rota) return refuse('no_such_rota');
  if (!canAdminister(roleIn(requester, rota.organizationId))) return refuse('not_permitted');
  const accountId = readPageId<AccountId>(form.account_id);
  const members = await selectMembers(tx, [rota.organizationId]);
  if (accountId === null || !members.some(({ id }) => id === accountId)) return refuse('no_such_member');
  const start = parseTypedTime(form.start ?? '', requester.timezone);
  const end = parseTypedTime(form.end ?? '', requester.timezone);
  if (!start.ok || !end.ok) return refuse('not_a_time');
  if (end.value <= start.value || end.value <= now) return refuse('not_later');
  // Who has been on call stays as it was.
  const startAt = start.value > now ? start.value : now;
  const span = { startAt, endAt: end.value, accountId };
  return write(tx, requester, rota, span, form, now);
};

/** Two shifts that have not ended: each of their people takes the other's. */
export const swap: StandInVerb = async (tx, requester, { rotaId, form }, now) => {
  const rota = await findRota(tx, requester, rotaId, now);
  if (!rota) return refuse('no_such_rota');
  if (!canAdminister(roleIn(requester, rota.organizationId))) return refuse('not_permitted');
  const [one, other] = [form.one, form.other].map((start) => findShiftOf(rota, start, now));
  if (!one || !other) return refuse('no_such_shift');
  if (one.memberId === other.memberId) return refuse('same_person');
  if (await isFull(tx, rota, 2, now)) return refuse('too_many');
  const { accountId, name } = requester;
  const cover = (shift: Held, by: Held): NewStandIn => ({
    startAt: shift.startAt > now ? shift.startAt : now,
    endAt: shift.endAt,
    accountId: by.memberId,
    insteadOfId: shift.memberId,
    reason: form.reason?.trim() || 'Swapped',
    author: { accountId, name },
  });
  const standIns = [cover(one, other), cover(other, one)];
  await insertStandIns(tx, rota.id, standIns, now);
  const detail = {
    shifts: standIns.map(({ startAt, endAt, accountId: account, insteadOfId }) => ({
      account,
      instead_of: insteadOfId,
      start: startAt,
      end: endAt,
    })),
  };
  await record(tx, requester, rota, 'rota.swap', detail, now);
  return ok(null);
};

interface Held {
  startAt: Date;
  endAt: Date;
  memberId: AccountId;
}

/** By the instant at which it begins. */
function findShiftOf(stored: StoredRota, start: string | undefined, now: Date): Held | null {
  const at = new Date(start ?? '');
  if (Number.isNaN(at.getTime())) return null;
  const shift = findShift(toRota(stored), at);
  if (!shift || shift.startAt.getTime() !== at.getTime() || shift.endAt <= now || shift.memberId === null)
    return null;
  return { ...shift, memberId: shift.memberId as AccountId };
}

/** One's own, or anybody's by an administrator. */
export const end: StandInVerb = async (tx, requester, { rotaId, form }, now) => {
  const rota = await findRota(tx, requester, rotaId, now);
  if (!rota) return refuse('no_such_rota');
  const standIn = rota.standIns.find(({ id }) => String(id) === form.stand_in_id);
  if (!standIn) return ok(null);
  const role = roleIn(requester, rota.organizationId);
  const isOwn = standIn.accountId === requester.accountId && canOperate(role);
  if (!isOwn && !canAdminister(role)) return refuse('not_permitted');
  if (await endStandIn(tx, rota.id, standIn.id, now))
    await record(tx, requester, rota, 'rota.stand_in.end', { stand_in: standIn.id }, now);
  return ok(null);
};

async function write(
  tx: Tx,
  requester: SignedIn,
  rota: StoredRota,
  span: { startAt: Date; endAt: Date; accountId: AccountId },
  { reason = '' }: FormFields,
  now: Date,
): Promise<Result<null, StandInRefusal>> {
  if (span.endAt.getTime() - span.startAt.getTime() > LONGEST_MS) return refuse('too_long');
  if (await isFull(tx, rota, 1, now)) return refuse('too_many');
  const insteadOfId = findDuty({ ...toRota(rota), standIns: [] }, span.startAt)?.accountId ?? null;
  const { accountId, name } = requester;
  const standIn = { ...span, insteadOfId, reason: reason.trim() || null, author: { accountId, name } };
  await insertStandIns(tx, rota.id, [standIn], now);
  const detail = { account: span.accountId, instead_of: insteadOfId, start: span.startAt, end: span.endAt };
  await record(tx, requester, rota, 'rota.stand_in', detail, now);
  return ok(null);
}

const isFull = async (tx: Tx, { id }: StoredRota, added: number, now: Date) =>
  (await countStandIns(tx, id, now)) + added > MOSTS.standIns.most;

const record = (
  tx: Tx,
  requester: SignedIn,
  { id, name, organizationId }: StoredRota,
  action: AuditAction,
  detail: Record<string, unknown>,
  now: Date,
) => writeAudit(tx, requester, { action, organizationId, detail: { rota: id, name, ...detail } }, now);
