export const BANDS = ['CRITICAL_HIGH', 'CRITICAL_LOW', 'WARNING_HIGH', 'WARNING_LOW'] as const;
export type BandName = (typeof BANDS)[number];

export interface Band {
  band: BandName;
  /** null: the band has times but no limit, and is never breached. */
  limit: number | null;
  delayMinutes: number;
  sustainedMinutes: number;
}

/** Contract, edit: a band whose limit, delay and sustained are all blank or zero is not saved. */
export const isWorthSaving = (band: Band): boolean =>
  Boolean(band.limit) || band.delayMinutes !== 0 || band.sustainedMinutes !== 0;
