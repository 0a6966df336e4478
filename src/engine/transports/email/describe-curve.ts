// The picture of the curve in words, for those who read text or cannot see it.

import { findExtent } from '../../../domain/chart/extent.ts';
import { isOnOff } from '../../../domain/chart/scale.ts';
import { english } from '../../../domain/language/english.ts';
import type { Curve, Notice } from '../../../domain/notifications/notice.ts';
import { sayNumber, saySpread } from '../../../domain/words/say-value.ts';
import { saySpan } from './say-times.ts';

const DECIMALS = 2;

/** `Temperature in the last 6 hours: between −81.2 and −55.2 °C, last −55.2 °C. Limits: critical −60, warning −65.` */
export function describeCurve(curve: Curve, notice: Notice): string {
  const values = curve.points.map(([, value]) => value);
  const last = values.at(-1);
  const name = notice.channelLabel ?? notice.channel ?? 'Readings';
  const span = saySpan(curve.to.getTime() - curve.from.getTime()) ?? 'minute';
  const place = `${name} in the last ${span.replace(/^1 (\w+)$/, '$1')}`;
  const extent = findExtent(values);
  if (last === undefined || !extent) return `${place}: no readings.`;
  const { low, high } = extent;
  if (isOnOff({ ...notice, min: [low], max: [high] }))
    return `${place}: ${saySpread(low, high, notice, english)}.`;
  const unit = notice.unit === null ? '' : ` ${notice.unit}`;
  const [lowest, highest] = [sayNumber(low, english, DECIMALS), sayNumber(high, english, DECIMALS)];
  const range = lowest === highest ? `${lowest}${unit}` : `between ${lowest} and ${highest}${unit}`;
  const limits = curve.limits.map(
    ({ severity, limit }) => `${severity} ${sayNumber(limit, english, DECIMALS)}`,
  );
  const tail = limits.length === 0 ? '' : ` Limits: ${limits.join(', ')}.`;
  return `${place}: ${range}, last ${sayNumber(last, english, DECIMALS)}${unit}.${tail}`;
}
