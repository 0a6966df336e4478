// The verbs on a group's ladder: its steps, and who stands on them.
import { isEmail, LONGEST_EMAIL, normaliseEmail } from '../../domain/accounts/email.ts';
import type { AccountId } from '../../domain/ids.ts';
import {
  LAST_STEP,
  LONGEST_ACKNOWLEDGED_MINUTES,
  LONGEST_WAIT_MINUTES,
  SHORTEST_ACKNOWLEDGED_MINUTES,
} from '../../domain/notifications/ladder.ts';
import { ofStepWord, STEP_WORDS } from '../../domain/notifications/step-words.ts';
import { DURINGS } from '../../domain/on-call/lab-hours.ts';
import { ok, refuse } from '../../domain/result.ts';
import { changeGroup, type GroupTx } from '../../engine/groups/change-group.ts';
import * as ladder from '../../engine/groups/group-ladder.ts';
import * as recipients from '../../engine/groups/group-recipients.ts';
import { setAcknowledgedMinutes } from '../../engine/groups/groups.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import { type GroupVerb, record } from './change-group.ts';
import { selectSteps } from './queries.ts';

/** A new one comes after all others; one that is there gets its time and kinds anew. */
export const setStep: GroupVerb = async (tx, requester, { group, form }, now) => {
  const steps = await selectSteps(tx, group);
  const step = readStep(form.step) ?? (steps.at(-1)?.step ?? 0) + 1;
  if (step < 1 || step > LAST_STEP) return refuse('too_many_steps');
  const afterMinutes = Number(form.after_minutes);
  if (!Number.isInteger(afterMinutes) || afterMinutes < 1 || afterMinutes > LONGEST_WAIT_MINUTES)
    return refuse('not_minutes');
  const isBetween = steps.every(
    (one) => one.step === step || Math.sign(one.step - step) === Math.sign(one.afterMinutes - afterMinutes),
  );
  if (!isBetween) return refuse('not_later');
  const kinds = STEP_WORDS.filter((kind) => form[kind] === 'yes');
  if (kinds.length === 0) return refuse('no_kind');
  const changed = await changeGroup(tx, now, (changing) =>
    ladder.setSteps(changing, group.id, [{ step, afterMinutes, subjects: kinds.map(ofStepWord) }]),
  );
  const detail = { step, after_minutes: afterMinutes, kinds };
  if (changed.length > 0) await record(tx, requester, { group, action: 'group.step.set', detail }, now);
  return ok(null);
};

export const removeStep: GroupVerb = async (tx, requester, { group, form }, now) => {
  const step = readStep(form.step);
  if (step === null || !(await selectSteps(tx, group)).some((one) => one.step === step)) return ok(null);
  const removed = await changeGroup(tx, now, (changing) => ladder.removeStep(changing, group.id, step));
  if (removed.length === 0) return refuse('step_in_use');
  await record(tx, requester, { group, action: 'group.step.remove', detail: { step } }, now);
  return ok(null);
};

/** Puts somebody on a step. A webhook moves there. */
export const place: GroupVerb = async (tx, requester, { group, form }, now) => {
  const where = readPlace(form);
  const steps = await selectSteps(tx, group);
  if (!where || (where.step > 0 && !steps.some(({ step }) => step === where.step)))
    return refuse('no_such_step');
  const email = normaliseEmail(form.email ?? '');
  if (email !== '' && (!isEmail(email) || email.length > LONGEST_EMAIL)) return refuse('not_an_email');
  const { kind, id } = readWhom(form.who);
  if (email === '' && id === null) return refuse('nobody_chosen');
  const added = await changeGroup(tx, now, async (changing): Promise<{ groupId: number }[]> => {
    if (email !== '') return recipients.addEmails(changing, group.id, [email], where);
    if (id === null) return [];
    if (kind === 'rota') return ladder.addRota(changing, group.id, id, where);
    if (kind === 'webhook') return recipients.placeWebhook(changing, group.id, id, where);
    return recipients.addAccounts(changing, group.id, [id as AccountId], where);
  });
  if (added.length === 0) return refuse('stands_there');
  const whom = email !== '' ? { email } : { [kind]: id };
  await record(tx, requester, { group, action: 'group.place', detail: { ...where, ...whom } }, now);
  return ok(null);
};

/** A webhook goes back to the first step: it is removed where webhooks are. */
export const unplace: GroupVerb = async (tx, requester, { group, form }, now) => {
  const where = readPlace(form);
  const { kind, id, email } = readWhom(form.who);
  if (!where) return ok(null);
  const remove = async (changing: GroupTx): Promise<{ groupId: number }[]> => {
    if (kind === 'email') return recipients.removeEmail(changing, group.id, email, where);
    if (id === null) return [];
    if (kind === 'rota') return ladder.removeRota(changing, group.id, id, where);
    if (kind === 'webhook') return recipients.placeWebhook(changing, group.id, id, recipients.AT_ONCE);
    return recipients.removeAccount(changing, group.id, id as AccountId, where);
  };
  const removed = await changeGroup(tx, now, remove);
  const detail = { ...where, ...(kind === 'email' ? { email } : { [kind]: id }) };
  if (removed.length > 0) await record(tx, requester, { group, action: 'group.unplace', detail }, now);
  return ok(null);
};

/** Blank: until somebody takes it back. */
export const setExpiry: GroupVerb = async (tx, requester, { group, form }, now) => {
  const said = form.acknowledged_minutes?.trim();
  // A form that does not ask for it, such as one of an earlier version, takes nothing away.
  if (said === undefined) return refuse('not_standing_minutes');
  const minutes = said === '' ? null : Number(said);
  const isWithin =
    minutes === null ||
    (Number.isInteger(minutes) &&
      minutes >= SHORTEST_ACKNOWLEDGED_MINUTES &&
      minutes <= LONGEST_ACKNOWLEDGED_MINUTES);
  if (!isWithin) return refuse('not_standing_minutes');
  if (await setAcknowledgedMinutes(tx, group.id, minutes))
    await record(
      tx,
      requester,
      { group, action: 'group.acknowledgements', detail: { acknowledged_minutes: minutes } },
      now,
    );
  return ok(null);
};

const readStep = (text: string | undefined): number | null =>
  text !== undefined && /^[0-9]$/.test(text) ? Number(text) : null;

function readPlace({ step: text, during: hours = 'always' }: FormFields): recipients.Place | null {
  const step = readStep(text);
  const during = DURINGS.find((one) => one === hours);
  return step === null || step > LAST_STEP || !during ? null : { step, during };
}

/** `rota 3`: what it is, and which one. */
function readWhom(text: string | undefined) {
  const [kind = '', rest = ''] = (text ?? '').split(' ');
  const known = ['account', 'rota', 'webhook', 'email'].includes(kind) ? kind : 'account';
  return { kind: known, id: known === 'email' ? null : readPageId(rest), email: rest };
}
