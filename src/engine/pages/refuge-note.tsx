// At a unit that takes in what was in another one.
import type { ServiceId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { type Reader, type ShownTime, showTime, Time } from '../../platform/html/time.tsx';
import { selectGuests } from '../rescue/reservation-rows.ts';

export interface RefugeNoteModel {
  guests: { id: string; racks: number; name: string; since: ShownTime }[];
  isDoorTight: boolean;
}

/** null: it takes in nothing. */
export async function readRefugeNote(
  db: ReadDatabase,
  serviceId: ServiceId,
  reader: Reader,
): Promise<RefugeNoteModel | null> {
  const guests = await selectGuests(db, serviceId, reader.now);
  return guests.length === 0
    ? null
    : {
        guests: guests.map(({ id, racks, name, at }) => ({ id, racks, name, since: showTime(at, reader) })),
        isDoorTight: guests.some(({ isDoorTight }) => isDoorTight),
      };
}

export const RefugeNote = ({ guests, isDoorTight }: RefugeNoteModel) => {
  const language = useLanguage();
  return (
    <div class="refuge-note" data-part="refuge">
      {guests.map(({ id, racks, name, since }) => (
        <p key={id}>
          <strong>
            {sayWith(
              language,
              'Takes {racks, plural, one {# rack} other {# racks}} of {name} since {time}: keep the door shut.',
              { racks, name, time: <Time {...since} /> },
            )}
          </strong>
        </p>
      ))}
      {isDoorTight && (
        <p class="muted">{language.say('While it does, its open door is an alarm after half the time.')}</p>
      )}
    </div>
  );
};
