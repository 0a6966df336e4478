// A sender that declares units has to stay with them: a channel that was in bar and is in psi from now on would raise alarms
// that are none, or none where there is one.
import type { Refused } from '../../domain/readings/refused.ts';
import type { Rejection, TelemetryEntry } from '../../domain/readings/telemetry.ts';
import type { ServiceConfig } from '../alarm-state/service-config.ts';

/** Without what comes in another unit than before. */
export function refuseOtherUnits(
  { channels }: ServiceConfig,
  entry: TelemetryEntry,
  rejected: Rejection[],
): TelemetryEntry {
  const { units, index } = entry;
  if (!units) return entry;
  const findOther = (name: string): Refused | null => {
    const before = channels.get(name)?.sentUnit ?? null;
    const unit = units.get(name);
    if (before === null || unit === undefined || unit === before) return null;
    return { code: 'other_unit', channel: name, unit, before };
  };
  const values = entry.values.filter(([name]) => {
    const why = findOther(name);
    if (why) rejected.push({ index, why });
    return why === null;
  });
  return { ...entry, values };
}

/** It says the unit of a channel for the first time. */
export const saysUnit = ({ channels }: ServiceConfig, { units }: TelemetryEntry, name: string): boolean =>
  units?.has(name) === true && channels.get(name)?.sentUnit === null;
