// What people say and do on the guide. What a step is ticked by is stored where it belongs.
import { message } from '../../domain/language/message.ts';
import { ok, refuse } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { noteAlone, noteArrived, noteTest } from '../../engine/first-steps/first-steps.ts';
import { tellTest } from '../../engine/outbox/send-test.ts';
import { TOO_MANY_UNPROVED } from '../../engine/outbox/unproved-mail.ts';
import { isAnyHandedOver, readStoredSteps } from '../../engine/pages/read-first-steps.ts';
import type { SettingsVerb } from '../../engine/pages/settings-routes.ts';

export type FirstStepRefusal = 'nobody_told' | 'too_many_unproved' | 'nothing_handed_over';

export const FIRST_STEP_REFUSALS: Record<FirstStepRefusal, [field: string, text: string]> = {
  nobody_told: ['test', message('Nobody is notified yet: say who is notified first, then send a test.')],
  too_many_unproved: ['test', TOO_MANY_UNPROVED],
  nothing_handed_over: [
    'arrived',
    message(
      'No message has left yet, so none can have arrived. Send a test, and wait until it was handed over.',
    ),
  ],
};

/** To a group that is told of critical alarms. */
export const test: SettingsVerb<FirstStepRefusal> = async (tx, requester, { organizationId }, now) => {
  const [steps] = await readStoredSteps(tx, requester.accountId, [organizationId], now);
  const groupId = steps?.toldGroupId;
  if (!groupId) return refuse('nobody_told');
  const told = await tellTest(tx, { groupId, organizationId, authorName: requester.name }, now);
  if (!told.ok) return refuse(told.refusal === 'too_many_unproved' ? told.refusal : 'nobody_told');
  const { notificationId } = told.value;
  noteTest(tx, organizationId, notificationId);
  const detail = { group: groupId, notification: notificationId };
  await writeAudit(tx, requester, { action: 'group.test', organizationId, detail }, now);
  return ok({});
};

export const arrived: SettingsVerb<FirstStepRefusal> = async (tx, requester, { organizationId }, now) => {
  const [steps] = await readStoredSteps(tx, requester.accountId, [organizationId], now);
  if (!(await isAnyHandedOver(tx, { organizationId, testId: steps?.testId ?? null })))
    return refuse('nothing_handed_over');
  noteArrived(tx, organizationId, now);
  await writeAudit(tx, requester, { action: 'first_steps.arrived', organizationId }, now);
  return ok({});
};

export const alone: SettingsVerb<FirstStepRefusal> = async (tx, requester, { organizationId }, now) => {
  noteAlone(tx, organizationId, now);
  await writeAudit(tx, requester, { action: 'first_steps.alone', organizationId }, now);
  return ok({});
};
