import { findLimitsFor, type Limits } from '../../../domain/judging/limits.ts';
import { english } from '../../../domain/language/english.ts';
import { sayNumber, sayValue } from '../../../domain/words/say-value.ts';
import type { ShownChannel } from '../shown-service/queries.ts';

export interface JudgedChannel {
  id: number;
  label: string;
  /** Of the margin: percent where its limits are. */
  unit: string | null;
  clearMargin: number;
  clearMinutes: number;
}

export const listJudged = (
  channels: readonly ShownChannel[],
  inForce: readonly Pick<Limits, 'channel' | 'isPercentage' | 'bands'>[],
): JudgedChannel[] =>
  channels.flatMap((channel) => {
    const limits = findLimitsFor(inForce, channel);
    if (!limits?.bands.some(({ limit }) => limit !== null)) return [];
    const { id, name, label, unit, clearMargin, clearMinutes } = channel;
    return [{ id, label: label ?? name, unit: limits.isPercentage ? '%' : unit, clearMargin, clearMinutes }];
  });

/** `Temperature: over once it is within its limit by 2 °C, for 10 min.` */
export function sayClearing({ label, unit, clearMargin, clearMinutes }: JudgedChannel): string {
  if (clearMargin === 0 && clearMinutes === 0)
    return `${label}: over with the first reading within its limit.`;
  const by = clearMargin > 0 ? ` by ${sayValue(clearMargin, { unit, words: null }, english)}` : '';
  const lasting = clearMinutes > 0 ? ` for ${sayNumber(clearMinutes, english)} min` : '';
  return `${label}: over once it is within its limit${by}${lasting}.`;
}
