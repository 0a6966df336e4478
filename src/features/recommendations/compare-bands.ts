import { BAND_LABELS, type Band, type BandName } from '../../domain/judging/band.ts';
import type { Limits } from '../../domain/judging/limits.ts';

export interface ComparedBand {
  band: BandName;
  current: Band | null;
  proposed: Band | null;
  change: 'new' | 'changed' | 'removed' | 'unchanged';
}

/** From the highest band to the lowest; those that neither side has are left out. */
export function compareBands(current: Limits | null, proposed: Limits): ComparedBand[] {
  const isSameMode = current?.isPercentage === proposed.isPercentage;
  return (Object.keys(BAND_LABELS) as BandName[]).flatMap((band) => {
    const [now, then] = [findBand(current, band), findBand(proposed, band)];
    if (!now && !then) return [];
    return [{ band, current: now, proposed: then, change: nameChange(now, then, isSameMode) }];
  });
}

const findBand = (limits: Limits | null, name: BandName): Band | null =>
  limits?.bands.find(({ band }) => band === name) ?? null;

function nameChange(now: Band | null, then: Band | null, isSameMode: boolean): ComparedBand['change'] {
  if (!now) return 'new';
  if (!then) return 'removed';
  const isSame =
    now.limit === then.limit &&
    now.delayMinutes === then.delayMinutes &&
    now.sustainedMinutes === then.sustainedMinutes;
  return isSame && isSameMode ? 'unchanged' : 'changed';
}
