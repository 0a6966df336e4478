import sql from 'sql-template-tag';
import { formatInstant } from '../../../domain/instant.ts';
import { writeAudits } from '../../audit/write-audit.ts';
import { findFull } from '../../mosts/keep-most.ts';
import { lookAgain } from '../../outbox/look-again.ts';
import { insertDowntimes } from '../../quiet-times/downtimes.ts';
import { operateOnServices } from '../../services/operate-on-service.ts';
import type { ManyAct } from './many-act.ts';
import type { QuietStep } from './mute-many.ts';
import { groupIds, toSteps, withoutFull } from './plan-steps.ts';

export interface WantedWindow {
  startAt: Date;
  endAt: Date;
  reason: string;
}

/** The same window for each. */
export const downtimeForMany = ({ startAt, endAt, reason }: WantedWindow): ManyAct<QuietStep> => ({
  name: 'downtime',
  async plan(tx, requester, serviceIds, now) {
    const sorted = await operateOnServices(tx, requester, serviceIds);
    return withoutFull(toSteps(sorted), await findFull(tx, 'downtimes', serviceIds, sql`end_at > ${now}`));
  },
  async carryOut(tx, requester, steps, together, now) {
    const { accountId, name } = requester;
    if (accountId === null) return null;
    const locked = steps.map((step) => step.locked);
    const author = { accountId, name };
    const made = groupIds(await insertDowntimes(tx, locked, { startAt, endAt, reason, author }, now));
    lookAgain(tx, locked, now);
    const idOf = ({ serviceId }: QuietStep) => made.get(serviceId)?.[0] ?? 0;
    writeAudits(
      tx,
      requester,
      steps.map((step) => ({
        action: 'downtime.schedule',
        organizationId: step.organizationId,
        serviceId: step.serviceId,
        detail: {
          downtime: idOf(step),
          reason,
          start_time: formatInstant(startAt),
          end_time: formatInstant(endAt),
          ...together,
        },
      })),
      now,
    );
    return steps.map((step) => ({
      serviceId: step.serviceId,
      name: step.name,
      downtimeId: idOf(step),
    }));
  },
});
