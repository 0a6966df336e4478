import { saySpread, sayValue } from '../../domain/words/say-value.ts';
import type { ChartData } from './series.ts';

/** What stands at an instant, in words; null: no reading does. */
export function sayPoint(data: ChartData, at: number, setpoint: number | null): string | null {
  const { stepMs, words } = data;
  const index = data.at.indexOf(at);
  const [mean, min, max] = [data.mean[index], data.min[index], data.max[index]];
  if (mean === undefined) return null;
  const spread = stepMs === null || min === undefined || max === undefined ? '' : saySpread(min, max, data);
  if (words && spread !== '') return spread;
  const wanted = setpoint === null ? '' : `, setpoint ${sayValue(setpoint, data)}`;
  return `${spread === '' ? sayValue(mean, data) : `${spread}, mean ${sayValue(mean, data)}`}${wanted}`;
}
