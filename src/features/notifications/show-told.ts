import { h } from 'preact';
import type { Role } from '../../domain/accounts/role.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { describeTold } from '../../engine/told/told-model.ts';
import { selectNotifications } from '../../engine/told/told-records.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { readStepsTaken } from './steps-taken.ts';
import { ToldPanel } from './steps-view.tsx';

const SHOWN = 5;

/** For the page of a service: the newest of what was told, to whom and with what outcome. */
export async function showTold(
  db: ReadDatabase,
  visitor: Visitor,
  { id, role }: { id: ServiceId; role: Role },
) {
  const newest = await selectNotifications(db, id, { before: null, limit: SHOWN });
  const steps = await readStepsTaken(db, id, { ...visitor, role });
  return h(ToldPanel, { steps, told: await describeTold(db, newest, { ...visitor, role }) });
}
