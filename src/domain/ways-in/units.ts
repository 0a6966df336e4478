// Temperatures come in as °C: units are declared by whoever knows, and never guessed.

export const UNITS = ['°C', '°F', 'K'] as const;
export type Unit = (typeof UNITS)[number];

/** Without the noise of arithmetic: 212 °F is 100 °C, and not 99.99999999999999. */
export function toCelsius(value: number, unit: Unit): number {
  if (unit === '°F') return round(((value - 32) * 5) / 9);
  return unit === 'K' ? round(value - 273.15) : value;
}

/** As it is kept: temperatures are in °C. null: it says nothing that could be compared. */
export function nameKept(unit: string): string | null {
  if (isTemperature(unit)) return '°C';
  const name = unit.trim();
  // OpenTelemetry has `1` and `{request}` for what has no unit.
  return name === '' || name === '1' || name.startsWith('{') || name.length > LONGEST_UNIT ? null : name;
}

const LONGEST_UNIT = 20;

export const isTemperature = (unit: string): unit is Unit => UNITS.some((known) => known === unit);

const round = (value: number): number => (Math.abs(value) < 1e9 ? Math.round(value * 1e6) / 1e6 : value);
