// What came of judging services, written: their rows, what happened and is to be told, and the end of acknowledgements.
// Shared by readings, the clock and new limits, which have the turns of the organizations. Episodes are given before the
// rows are written, and events are noted after the rows are held: they come first everywhere, so that nobody deadlocks.
import { beginsEpisode } from '../../domain/notifications/alarm-event.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { LockedService } from '../journal/lock-alarm-states.ts';
import type { Turn } from '../journal/take-turn.ts';
import { type TakeEpisodes, takeEpisodeIds } from '../outbox/episode-ids.ts';
import { noteHappenings } from '../outbox/note.ts';
import { endAcknowledgements } from './acknowledgements.ts';
import { insertEvents } from './alarm-events.ts';
import { type HeldRow, writeRows } from './alarm-rows.ts';
import { type Assessment, isChanged, type Numbered } from './assessment.ts';

/** All of it travels with the next statement, or with the commit. Answers with all as they stand then. */
export async function writeAssessments(
  tx: Tx,
  _proof: Turn | readonly HeldRow[],
  assessments: readonly Assessment[],
  now: Date,
  takeEpisodes?: TakeEpisodes,
): Promise<readonly Numbered[]> {
  const numbered = await giveEpisodes(tx, assessments, takeEpisodes);
  const changed = numbered.filter(isChanged);
  if (changed.length > 0) tx.later(writeRows(changed));
  noteEvents(tx, changed, now);
  return numbered;
}

/** An episode begins when a service leaves normal and ends when it is normal again. Ids are handed out in order. */
async function giveEpisodes(
  tx: Tx,
  assessments: readonly Assessment[],
  takeEpisodes: TakeEpisodes = takeEpisodeIds,
): Promise<readonly Numbered[]> {
  let raised = 0;
  for (const { events } of assessments) for (const event of events) if (beginsEpisode(event)) raised += 1;
  const newIds = raised > 0 ? await takeEpisodes(tx, raised) : [];
  for (const { watched, events, alarm } of assessments) {
    let { episodeId } = watched.alarm;
    for (const event of events) {
      if (beginsEpisode(event)) episodeId = newIds.shift() ?? null;
      event.episodeId = episodeId;
      if (event.subject === 'recovery') episodeId = null;
    }
    if (alarm && alarm.severity !== 'normal') alarm.episodeId = episodeId;
  }
  return assessments as readonly Numbered[];
}

function noteEvents(tx: Tx, assessments: readonly Numbered[], now: Date): void {
  const events = assessments.flatMap((assessment) => assessment.events);
  if (events.length === 0) return;
  insertEvents(tx, events, now);
  noteHappenings(tx, events, now);
  const recovered = events.filter(({ subject }) => subject === 'recovery').map(({ serviceId }) => serviceId);
  // Their rows are written by now, which holds them.
  if (recovered.length > 0) endAcknowledgements(tx, recovered as LockedService[], 'recovered', now);
}
