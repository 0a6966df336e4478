import { unlessBlank } from '../../../domain/blank.ts';
import { writeAudits } from '../../audit/write-audit.ts';
import type { LockedService } from '../../journal/lock-alarm-states.ts';
import { findFull } from '../../mosts/keep-most.ts';
import { lookAgain } from '../../outbox/look-again.ts';
import { endMutesOf, insertMutes, selectMuted } from '../../quiet-times/mutes.ts';
import { operateOnServices } from '../../services/operate-on-service.ts';
import type { ManyAct, UnitStep } from './many-act.ts';
import { groupIds, toSteps, withoutFull } from './plan-steps.ts';

export interface QuietStep extends UnitStep {
  locked: LockedService;
}

/** Adds a mute to each, whether or not it is muted already, as `mute` does. No minutes: until somebody ends it. */
export const muteMany = ({
  reason: sent,
  minutes,
}: {
  reason: string | undefined;
  minutes?: number;
}): ManyAct<QuietStep> => ({
  name: 'mute',
  async plan(tx, requester, serviceIds) {
    const sorted = await operateOnServices(tx, requester, serviceIds);
    return withoutFull(toSteps(sorted), await findFull(tx, 'mutes', serviceIds));
  },
  async carryOut(tx, requester, steps, together, now) {
    const { accountId, name: accountName } = requester;
    if (accountId === null) return null;
    const reason = unlessBlank(sent);
    const endsAt = minutes === undefined ? null : new Date(now.getTime() + minutes * 60_000);
    const locked = steps.map((step) => step.locked);
    const made = groupIds(await insertMutes(tx, locked, { reason, accountId, accountName, endsAt }, now));
    lookAgain(tx, locked, now);
    const detail = { reason, ...(minutes !== undefined && { minutes }), ...together };
    writeAudits(
      tx,
      requester,
      steps.map(({ serviceId, organizationId }) => ({
        action: 'service.mute',
        organizationId,
        serviceId,
        detail,
      })),
      now,
    );
    return steps.map(({ serviceId, name }) => ({ serviceId, name, muteIds: made.get(serviceId) ?? [] }));
  },
});

/** Ends all mutes of each. */
export const unmuteMany = (): ManyAct<QuietStep> => ({
  name: 'unmute',
  async plan(tx, requester, serviceIds) {
    const { steps, refused } = toSteps(await operateOnServices(tx, requester, serviceIds));
    const muted = new Set((await selectMuted(tx, serviceIds)).map(({ serviceId }) => serviceId));
    const isMuted = ({ serviceId }: UnitStep) => muted.has(serviceId);
    return {
      steps: steps.filter(isMuted),
      refused: [
        ...refused,
        ...steps
          .filter((step) => !isMuted(step))
          .map(({ serviceId, name }) => ({ serviceId, name, refusal: 'not_muted' as const })),
      ],
    };
  },
  async carryOut(tx, requester, steps, together, now) {
    const locked = steps.map((step) => step.locked);
    const ended = groupIds(await endMutesOf(tx, locked, 'all', now));
    lookAgain(tx, locked, now, { isSuppressionEnded: true });
    writeAudits(
      tx,
      requester,
      steps.map(({ serviceId, organizationId }) => ({
        action: 'service.unmute',
        organizationId,
        serviceId,
        detail: { mutes_cleared: ended.get(serviceId)?.length ?? 0, ...together },
      })),
      now,
    );
    return steps.map(({ serviceId, name }) => ({ serviceId, name, muteIds: ended.get(serviceId) ?? [] }));
  },
});
