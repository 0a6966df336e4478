import type { Language } from './language/speak.ts';

const UNITS: [ms: number, say: (count: number, language: Language) => string][] = [
  [86_400_000, (count, { say }) => say('{count, plural, one {# day} other {# days}}', { count })],
  [3_600_000, (count, { say }) => say('{count, plural, one {# hour} other {# hours}}', { count })],
  [60_000, (count, { say }) => say('{count, plural, one {# minute} other {# minutes}}', { count })],
  [1000, (count, { say }) => say('{count, plural, one {# second} other {# seconds}}', { count })],
];

/** `2 minutes 5 seconds`: the two largest units, the rest dropped. */
export function describeSpan(ms: number, language: Language): string {
  const largest = UNITS.findIndex(([unit]) => ms >= unit);
  if (largest < 0) return language.say('less than a second');
  const parts: string[] = [];
  let rest = ms;
  for (const [unit, say] of UNITS.slice(largest, largest + 2)) {
    const count = Math.floor(rest / unit);
    rest -= count * unit;
    if (count > 0) parts.push(say(count, language));
  }
  return parts.join(' ');
}
