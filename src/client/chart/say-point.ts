import { type OverCurve, valueAt } from '../../domain/chart/over-scale.ts';
import { saySpread, sayValue } from '../../domain/words/say-value.ts';
import { pageLanguage } from '../app/page-language.ts';
import type { ChartData } from './series.ts';

/** What stands at an instant, in words; null: no reading does. */
export function sayPoint(data: ChartData, at: number, setpoint: number | null): string | null {
  const { stepMs, words } = data;
  const { say } = pageLanguage;
  const index = data.at.indexOf(at);
  const [mean, min, max] = [data.mean[index], data.min[index], data.max[index]];
  if (mean === undefined) return null;
  const inWords = (value: number) => sayValue(value, data, pageLanguage);
  const spread =
    stepMs === null || min === undefined || max === undefined ? '' : saySpread(min, max, data, pageLanguage);
  if (words && spread !== '') return spread;
  const said = spread === '' ? inWords(mean) : say('{spread}, mean {mean}', { spread, mean: inWords(mean) });
  const own =
    setpoint === null ? said : say('{said}, setpoint {setpoint}', { said, setpoint: inWords(setpoint) });
  return [own, ...data.over.flatMap((curve) => sayOver(curve, at))].join(' · ');
}

function sayOver(curve: OverCurve, at: number): string[] {
  const value = valueAt(curve, at);
  return value === null ? [] : [`${curve.label} ${sayValue(value, curve, pageLanguage)}`];
}
