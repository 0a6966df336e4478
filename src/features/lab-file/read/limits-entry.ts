import { BANDS, type Band, isWorthSaving } from '../../../domain/judging/band.ts';
import type { Limits } from '../../../domain/judging/limits.ts';
import type { LabLimits } from './read-lab-file.ts';

/** Every band that the file gives, also those that are not worth saving. */
export const toBands = (entry: LabLimits): Band[] =>
  BANDS.flatMap((name) => {
    const band = entry.bands[name];
    if (!band) return [];
    const { limit = null, delay = 0, sustained = 0 } = band;
    return [{ band: name, limit, delayMinutes: delay, sustainedMinutes: sustained }];
  });

/** An entry is the whole of its channel's limits: what it leaves out is not there. */
export const toLimits = (entry: LabLimits): Limits => ({
  channel: entry.channel === 'default' ? null : entry.channel,
  isPercentage: entry.is_percentage ?? false,
  setpointChannel: entry.setpoint_channel ?? null,
  stateChannel: entry.state_channel ?? null,
  bands: toBands(entry).filter(isWorthSaving),
});

export function describeLimits({ isPercentage, setpointChannel, stateChannel, bands }: Limits): string {
  const unit = isPercentage ? '%' : '';
  const parts = bands.map(({ band, limit, delayMinutes, sustainedMinutes }) =>
    [
      band,
      limit === null ? 'no limit' : `${limit}${unit}`,
      ...(delayMinutes > 0 ? [`delay ${delayMinutes}`] : []),
      ...(sustainedMinutes > 0 ? [`sustained ${sustainedMinutes}`] : []),
    ].join(' '),
  );
  if (setpointChannel !== null) parts.push(`setpoint "${setpointChannel}"`);
  if (stateChannel !== null) parts.push(`state "${stateChannel}"`);
  return parts.length > 0 ? parts.join(', ') : 'no bands';
}

/** A limit of 0 that is dropped silently would be missed on the day it is needed. */
export function describeUnsaved(entry: LabLimits): string {
  const unsaved = toBands(entry).filter((band) => band.limit === 0 && !isWorthSaving(band));
  if (unsaved.length === 0) return '';
  const names = unsaved.map(({ band }) => band).join(', ');
  return ` (${names} not saved: a limit of 0 needs a delay or a sustained time)`;
}
