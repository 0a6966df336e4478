import { selectActiveMutes } from '../../engine/quiet-times/mutes.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type Reader, showTime } from '../../platform/html/time.tsx';
import type { MutedService } from './mute.ts';
import type { MuteControlModel } from './views.tsx';

export async function loadMuteControl(
  db: ReadDatabase,
  { id, name }: MutedService,
  reader: Reader,
): Promise<MuteControlModel> {
  const mutes = await selectActiveMutes(db, id);
  return {
    serviceId: id,
    serviceName: name,
    mutes: mutes.map(({ at, endsAt, ...mute }) => ({
      ...mute,
      since: showTime(at, reader),
      until: endsAt && showTime(endsAt, reader),
    })),
  };
}
