// The weeks of insight as CSV, the newest first, as the table on its page has them.
import { type CsvCell, minutes, writeLine } from '../../platform/csv-lines.ts';
import type { WeekModel } from './insight-model.ts';

const COLUMNS: [head: string, read: (week: WeekModel) => CsvCell][] = [
  ['week_of', ({ day }) => day],
  ['alarms', ({ alarms }) => alarms],
  ['critical', ({ critical }) => critical],
  ['acknowledged', ({ acknowledged }) => acknowledged],
  ['over', ({ over }) => over],
  ['median_minutes_to_acknowledge', ({ medians }) => minutes(medians.toAcknowledge)],
  ['median_minutes_to_recover', ({ medians }) => minutes(medians.toRecover)],
];

export const exportInsight = (weeks: readonly WeekModel[]): string =>
  [COLUMNS.map(([head]) => head), ...weeks.toReversed().map((week) => COLUMNS.map(([, read]) => read(week)))]
    .map(writeLine)
    .join('');
