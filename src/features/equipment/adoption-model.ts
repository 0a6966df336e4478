// What the form of an adoption shows.
import { sayOne } from '../../domain/language/sayable.ts';
import type { Language } from '../../domain/language/speak.ts';
import { findAnnouncedDevice } from '../../domain/ways-in/home-assistant.ts';
import { sayNumber } from '../../domain/words/say-value.ts';
import { selectWaitingReadings, type WaitingReading } from '../../engine/equipment/waiting-readings.ts';
import type { SettingsVisit } from '../../engine/pages/settings-routes.ts';
import { selectAnnouncementsThrough } from '../../engine/sources/announcement-rows.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type Reader, showTime } from '../../platform/html/time.tsx';
import type { FormFields } from '../../platform/http/form-body.ts';
import { inSlices } from '../../platform/in-slices.ts';
import {
  type AdoptionFault,
  listChannels,
  listNamed,
  proposeAdoption,
  readAdoption,
} from './adoption-form.ts';
import type { AdoptionModel, SaidFault, SaidModel } from './adoption-view.tsx';
import type { Device } from './device-rows.ts';
import { selectGroups } from './group-rows.ts';
import { selectAssets, selectLocations } from './place-rows.ts';

/** `typed`: what somebody has typed already; null: nothing. */
export async function readAdoptionModel(
  db: ReadDatabase,
  { organization, visitor }: SettingsVisit,
  device: Device,
  typed: FormFields | null,
): Promise<AdoptionModel> {
  const readings = await selectWaitingReadings(db, device.id, visitor.now);
  const announcements =
    device.heardFrom === null ? [] : await selectAnnouncementsThrough(db, organization.id, device.heardFrom);
  const announced = await inSlices(findAnnouncedDevice(announcements, device.key));
  const proposed = proposeAdoption(readings, device.isRadio, announced);
  const read = typed && readAdoption(typed, visitor.language);
  const [assets, locations, groups] = await Promise.all([
    selectAssets(db, organization.id),
    selectLocations(db, organization.id),
    selectGroups(db, organization.id),
  ]);
  return {
    said: listSaid(readings, typed, visitor),
    values: typed ?? proposed,
    interval: Number(proposed.uplink_interval_minutes) || null,
    isAnnounced: announced.intervalMinutes !== null,
    fault: read && !read.ok ? sayFault(read.refusal, visitor.language) : null,
    assets: assets.map(({ name }) => name),
    locations: locations.map(({ name }) => name),
    groups,
  };
}

const sayFault = ({ channel, text }: AdoptionFault, language: Language): SaidFault => ({
  channel,
  text: sayOne(text, language),
});

/** In the order of a form that was typed: meanwhile the device may have said more. */
function listSaid(
  readings: readonly WaitingReading[],
  typed: FormFields | null,
  reader: Reader,
): SaidModel[] {
  const channels = listChannels(readings);
  if (!typed) return channels.map((one) => sayLast(one, reader));
  return listNamed(typed).map((name) => {
    const last = channels.find(({ channel }) => channel === name);
    return last ? sayLast(last, reader) : { channel: name, value: null, at: null };
  });
}

export const sayLast = ({ channel, value, at }: WaitingReading, reader: Reader): SaidModel => ({
  channel,
  value: sayNumber(value, reader.language),
  at: showTime(at, reader),
});
