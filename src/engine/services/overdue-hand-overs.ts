// An alarm that was offered and not taken stays with whoever has it: they hear so, once.
import { describeNotTaken } from '../../domain/words/note-words.ts';
import type { Database } from '../../platform/db/database.ts';
import { eachAlone } from '../../platform/process/each-alone.ts';
import { lockAlarmState } from '../journal/lock-alarm-states.ts';
import { noteOverdue, selectOverdue, tellAlone } from '../outbox/hand-overs.ts';

const PATIENCE_MINUTES = 15;

export async function tellOverdueHandOvers(db: Database, now: Date): Promise<void> {
  const overdue = await selectOverdue(db, new Date(now.getTime() - PATIENCE_MINUTES * 60_000));
  const tell = (offer: (typeof overdue)[number]) =>
    db.transaction(async (tx) => {
      const serviceId = await lockAlarmState(tx, offer.serviceId);
      if (!(await noteOverdue(tx, serviceId, offer, now))) return;
      const { episodeId, fromId: accountId, fromName, toName } = offer;
      const message = describeNotTaken(toName, PATIENCE_MINUTES);
      await tellAlone(tx, { serviceId, episodeId, accountId, message, authorName: fromName }, now);
    });
  await eachAlone(overdue, ({ serviceId }) => `the hand-over of service ${serviceId}`, tell);
}
