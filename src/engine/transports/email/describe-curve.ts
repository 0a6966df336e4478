// The picture of the curve in words, for those who read text or cannot see it.

import { findExtent } from '../../../domain/chart/extent.ts';
import { isOnOff } from '../../../domain/chart/scale.ts';
import type { Language } from '../../../domain/language/speak.ts';
import { inARow } from '../../../domain/list-names.ts';
import type { Curve, Notice } from '../../../domain/notifications/notice.ts';
import { sayNumber, saySpread } from '../../../domain/words/say-value.ts';

const DECIMALS = 2;
const HOUR_MS = 3_600_000;

/** `Temperature in the last 6 hours: between −81.2 and −55.2 °C, last −55.2 °C. Limits: critical −60, warning −65.` */
export function describeCurve(curve: Curve, notice: Notice, language: Language): string {
  const { say } = language;
  const values = curve.points.map(([, value]) => value);
  const newest = values.at(-1);
  const name = notice.channelLabel ?? notice.channel ?? say('Readings');
  const hours = Math.round((curve.to.getTime() - curve.from.getTime()) / HOUR_MS);
  const extent = findExtent(values);
  if (newest === undefined || !extent)
    return say('{name} in the last {hours, plural, one {hour} other {# hours}}: no readings.', {
      name,
      hours,
    });
  const { low, high } = extent;
  if (isOnOff({ ...notice, min: [low], max: [high] }))
    return say('{name} in the last {hours, plural, one {hour} other {# hours}}: {states}.', {
      name,
      hours,
      states: saySpread(low, high, notice, language),
    });
  const sayPlain = (value: number) => sayNumber(value, language, DECIMALS);
  const unit = notice.unit === null ? '' : ` ${notice.unit}`;
  const last = sayPlain(newest) + unit;
  const [lowest, highest] = [sayPlain(low), sayPlain(high)];
  const said =
    lowest === highest
      ? say('{name} in the last {hours, plural, one {hour} other {# hours}}: {value}, last {last}.', {
          name,
          hours,
          value: lowest + unit,
          last,
        })
      : say(
          '{name} in the last {hours, plural, one {hour} other {# hours}}: between {lowest} and {highest}, last {last}.',
          { name, hours, lowest, highest: highest + unit, last },
        );
  const limits = curve.limits.map(({ severity, limit }) =>
    say('{severity, select, critical {critical} other {warning}} {limit}', {
      severity,
      limit: sayPlain(limit),
    }),
  );
  return limits.length === 0
    ? said
    : `${said} ${say('Limits: {limits}.', { limits: inARow(limits, language) })}`;
}
