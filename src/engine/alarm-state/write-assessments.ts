// What came of judging services, written: their rows, what happened and is to be told, and the end of acknowledgements.
// Shared by readings, the clock and new limits.
import type { Tx } from '../../platform/db/database.ts';
import { type TakeEpisodes, takeEpisodeIds } from '../outbox/episode-ids.ts';
import { noteHappenings } from '../outbox/note.ts';
import { endAcknowledgements } from './acknowledgements.ts';
import { insertEvents } from './alarm-events.ts';
import { writeRows } from './alarm-rows.ts';
import { numberEpisodes } from './assess.ts';
import type { Assessment } from './assessment.ts';

/** To be called before the services' rows are written. */
export async function giveEpisodes(
  tx: Tx,
  assessments: readonly Assessment[],
  takeEpisodes: TakeEpisodes = takeEpisodeIds,
): Promise<void> {
  let raised = 0;
  for (const { events } of assessments) for (const { kind } of events) if (kind === 'raised') raised += 1;
  numberEpisodes(assessments, raised > 0 ? await takeEpisodes(tx, raised) : []);
}

/** To be called when the services' rows are locked or written: they come first everywhere, so that nobody deadlocks. */
export function noteEvents(tx: Tx, assessments: readonly Assessment[], now: Date): void {
  const events = assessments.flatMap((assessment) => assessment.events);
  if (events.length === 0) return;
  insertEvents(tx, events, now);
  noteHappenings(tx, events, now);
  const recovered = events.filter(({ kind }) => kind === 'recovered').map(({ serviceId }) => serviceId);
  if (recovered.length > 0) endAcknowledgements(tx, recovered, 'recovered', now);
}

/** For those who hold the locks. */
export async function writeAssessments(tx: Tx, assessments: readonly Assessment[], now: Date): Promise<void> {
  if (assessments.length === 0) return;
  await giveEpisodes(tx, assessments);
  tx.later(writeRows(assessments));
  noteEvents(tx, assessments, now);
}
