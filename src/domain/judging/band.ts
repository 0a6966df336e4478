import { message } from '../language/message.ts';

export const BANDS = ['CRITICAL_HIGH', 'CRITICAL_LOW', 'WARNING_HIGH', 'WARNING_LOW'] as const;
export type BandName = (typeof BANDS)[number];

/** As people read them, from the top of a chart to its bottom. */
export const BAND_LABELS = {
  // For translators: the four limits of a value, here the upper one whose breach is a critical alarm
  CRITICAL_HIGH: message('Critical high'),
  WARNING_HIGH: message('Warning high'),
  WARNING_LOW: message('Warning low'),
  CRITICAL_LOW: message('Critical low'),
} as const satisfies Record<BandName, string>;

/** Contract, Delete band: `CRIT_HIGH`, `WARN_LOW` and their like are accepted too, here in any case. null: no such band. */
export function readBandName(sent: string): BandName | null {
  const full = sent
    .trim()
    .toUpperCase()
    .replace(/^CRIT_/, 'CRITICAL_')
    .replace(/^WARN_/, 'WARNING_');
  return BANDS.find((name) => name === full) ?? null;
}

export interface Band {
  band: BandName;
  /** null: the band has times but no limit, and is never breached. */
  limit: number | null;
  delayMinutes: number;
  sustainedMinutes: number;
}

/** Contract, Service settings: a band whose limit, delay and sustained are all blank or zero is not saved. */
export const isWorthSaving = (band: Band): boolean =>
  Boolean(band.limit) || band.delayMinutes !== 0 || band.sustainedMinutes !== 0;

const MEANINGS: Record<BandName, { severity: 'critical' | 'warning'; isHigh: boolean }> = {
  CRITICAL_HIGH: { severity: 'critical', isHigh: true },
  CRITICAL_LOW: { severity: 'critical', isHigh: false },
  WARNING_HIGH: { severity: 'warning', isHigh: true },
  WARNING_LOW: { severity: 'warning', isHigh: false },
};

export const isHigh = (band: BandName): boolean => MEANINGS[band].isHigh;

export const severityOfBand = (band: BandName): 'critical' | 'warning' => MEANINGS[band].severity;

export const ofEachBand = <Value>(make: (band: BandName) => Value): Record<BandName, Value> =>
  Object.fromEntries(BANDS.map((band) => [band, make(band)])) as Record<BandName, Value>;
