// What becomes due because time passes: breaches that have lasted long enough, data that went stale. Any number of
// programs may sweep: each takes services that nobody else holds.
import type { Database } from '../platform/db/database.ts';
import { lockDueAlarms, readChannels, updateDue } from './alarm-store.ts';
import { assess } from './assess.ts';
import type { Catalogue } from './catalogue.ts';
import { gatherStates, writeAssessments } from './judge-services.ts';

const MOST_AT_ONCE = 500;

export async function sweepDue(
  { db, catalogue }: { db: Database; catalogue: Catalogue },
  now: Date,
): Promise<void> {
  let swept: number;
  do {
    swept = await db.transaction(async (tx) => {
      const alarms = await lockDueAlarms(tx, now, MOST_AT_ONCE);
      if (alarms.length === 0) return 0;
      const serviceIds = alarms.map(({ serviceId }) => serviceId);
      await catalogue.refresh(tx, alarms);
      const states = gatherStates(catalogue, await readChannels(tx, serviceIds));
      const assessed = alarms.flatMap((stored) => {
        const config = catalogue.get(stored.serviceId);
        if (!config || config.isArchived) return [];
        return [
          {
            stored,
            assessment: assess(config, stored, states.get(stored.serviceId) ?? new Map(), [], now.getTime()),
          },
        ];
      });
      await writeAssessments(tx, assessed, now);
      // An archived service is not due any more.
      const nextDue = new Map(
        assessed.map(({ stored, assessment }) => [stored.serviceId, assessment.nextDueAt]),
      );
      const due = serviceIds.map((serviceId) => ({ serviceId, nextDueAt: nextDue.get(serviceId) ?? null }));
      updateDue(tx, due);
      return alarms.length;
    }, 'by_index');
  } while (swept === MOST_AT_ONCE);
}
