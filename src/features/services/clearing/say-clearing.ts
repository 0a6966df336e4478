import { findLimitsFor, type Limits } from '../../../domain/judging/limits.ts';
import type { Language } from '../../../domain/language/speak.ts';
import { sayValue } from '../../../domain/words/say-value.ts';
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

/** `Temperature: over once it is within its limit by 2 °C for 10 min.` */
export function sayClearing(
  { label: channel, unit, clearMargin, clearMinutes: minutes }: JudgedChannel,
  language: Language,
): string {
  const { say } = language;
  const margin = sayValue(clearMargin, { unit, words: null }, language);
  if (clearMargin > 0)
    return minutes > 0
      ? say('{channel}: over once it is within its limit by {margin} for {minutes} min.', {
          channel,
          margin,
          minutes,
        })
      : say('{channel}: over once it is within its limit by {margin}.', { channel, margin });
  return minutes > 0
    ? say('{channel}: over once it is within its limit for {minutes} min.', { channel, minutes })
    : say('{channel}: over with the first reading within its limit.', { channel });
}
