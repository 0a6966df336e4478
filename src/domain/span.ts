const UNITS: [ms: number, name: string][] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
];

/** `2 minutes 5 seconds`: the two largest units, the rest dropped. */
export function describeSpan(ms: number): string {
  const largest = UNITS.findIndex(([unit]) => ms >= unit);
  if (largest < 0) return 'less than a second';
  const parts: string[] = [];
  let rest = ms;
  for (const [unit, name] of UNITS.slice(largest, largest + 2)) {
    const count = Math.floor(rest / unit);
    rest -= count * unit;
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`);
  }
  return parts.join(' ');
}
