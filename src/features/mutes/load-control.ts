import { sayMuting } from '../../domain/equipment/telling.ts';
import { listTargetNames, selectNamedTargets } from '../../engine/groups/who-is-told.ts';
import { selectActiveMutes } from '../../engine/quiet-times/mutes.ts';
import { selectTellings } from '../../engine/services/tellings.ts';
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
  const [telling] = await selectTellings(db, [id]);
  const names = listTargetNames(await selectNamedTargets(db, id));
  return {
    serviceId: id,
    serviceName: name,
    keeps: telling ? sayMuting(telling, names) : '',
    mutes: mutes.map(({ at, endsAt, ...mute }) => ({
      ...mute,
      since: showTime(at, reader),
      until: endsAt && showTime(endsAt, reader),
    })),
  };
}
