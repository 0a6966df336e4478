// What people are reminded of, looked for every minute: each of these makes what is new since.
import type { Database } from '../../platform/db/database.ts';
import { remindOfGaps } from './gaps.ts';
import { remindOfMutes } from './mutes.ts';
import { selectPeople } from './people.ts';
import { remindOfSeries } from './series.ts';
import { remindOfShifts } from './shifts.ts';

export async function remind(db: Database, now: Date): Promise<void> {
  const people = await selectPeople(db);
  const faults: unknown[] = [];
  // One that fails does not keep the others back.
  for (const look of [remindOfShifts, remindOfGaps, remindOfMutes, remindOfSeries])
    await look(db, people, now).catch((error) => faults.push(error));
  if (faults.length > 0) throw new AggregateError(faults, 'not everybody could be reminded');
}
