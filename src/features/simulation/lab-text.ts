// The simulated lab in the words of a lab file. JSON is YAML too.
import type { LabUnit } from '../../domain/simulation/lab.ts';
import { MINUTE_MS } from '../../domain/simulation/rhythms.ts';
import type { UnitKind, UnitValues } from '../../domain/simulation/unit.ts';

interface EquipmentLimits {
  channel: string;
  is_percentage?: true;
  setpoint_channel?: string;
  state_channel?: string;
  bands: Record<string, ReturnType<typeof band>>;
}

interface Equipment {
  location: string;
  channels: { name: string; label: string; unit?: string; kind: string }[];
  limits: EquipmentLimits[];
}

const band = (limit: number, sustained: number) => ({ limit, sustained });

const TEMPERATURE = { name: 'temperature', label: 'Temperature', unit: '°C', kind: 'metric' };
const DOOR = { name: 'door', label: 'Door', kind: 'state' };
const DIAGNOSTICS = [
  { name: 'battery', label: 'Battery', unit: '%', kind: 'diagnostic' },
  { name: 'rssi', label: 'Signal', unit: 'dBm', kind: 'diagnostic' },
];

const EQUIPMENT: Record<UnitKind, Equipment> = {
  ultra_low_freezer: {
    location: 'Freezer farm',
    channels: [TEMPERATURE, DOOR],
    limits: [
      {
        channel: 'temperature',
        bands: { CRITICAL_HIGH: band(-60, 10), WARNING_HIGH: band(-70, 15), WARNING_LOW: band(-90, 15) },
      },
    ],
  },
  freezer: {
    location: 'Freezer farm',
    channels: [TEMPERATURE, DOOR],
    limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: band(-8, 10), WARNING_HIGH: band(-14, 45) } }],
  },
  incubator: {
    location: 'Cell culture',
    channels: [
      TEMPERATURE,
      { name: 'temperature_setpoint', label: 'Setpoint', unit: '°C', kind: 'setpoint' },
      { name: 'co2', label: 'CO₂', unit: '%', kind: 'metric' },
      { name: 'running', label: 'Running', kind: 'state' },
    ],
    limits: [
      {
        channel: 'temperature',
        is_percentage: true,
        setpoint_channel: 'temperature_setpoint',
        state_channel: 'running',
        bands: {
          CRITICAL_HIGH: band(4, 5),
          WARNING_HIGH: band(2, 5),
          WARNING_LOW: band(-3, 20),
          CRITICAL_LOW: band(-6, 20),
        },
      },
      {
        channel: 'co2',
        bands: {
          CRITICAL_HIGH: band(6, 5),
          WARNING_HIGH: band(5.6, 10),
          WARNING_LOW: band(4.5, 25),
          CRITICAL_LOW: band(2.5, 20),
        },
      },
    ],
  },
  fridge: {
    location: 'Cell culture',
    channels: [TEMPERATURE, DOOR],
    limits: [
      {
        channel: 'temperature',
        bands: { CRITICAL_HIGH: band(10, 15), WARNING_HIGH: band(8, 30), CRITICAL_LOW: band(2, 15) },
      },
    ],
  },
  cryo_tank: {
    location: 'Cryo store',
    channels: [{ name: 'level', label: 'Nitrogen level', unit: '%', kind: 'metric' }],
    limits: [{ channel: 'level', bands: { WARNING_LOW: band(60, 0), CRITICAL_LOW: band(50, 0) } }],
  },
  cold_room: {
    location: 'Basement',
    channels: [TEMPERATURE, { name: 'humidity', label: 'Humidity', unit: '%', kind: 'metric' }],
    limits: [
      {
        channel: 'temperature',
        bands: { CRITICAL_HIGH: band(10, 15), WARNING_HIGH: band(8, 15), CRITICAL_LOW: band(1, 15) },
      },
    ],
  },
};

const STALE_AFTER_MINUTES = 15;

interface UnitLimit {
  name: string;
  sustainedMs: number;
  isPassedBy(values: UnitValues): boolean;
}

/** Every band of a unit, as the engine will judge it. */
export const listLimits = (kind: UnitKind): UnitLimit[] =>
  EQUIPMENT[kind].limits.flatMap(({ channel, setpoint_channel, bands }) =>
    Object.entries(bands).map(([name, { limit, sustained }]) => ({
      name: `${channel} ${name}`,
      sustainedMs: sustained * MINUTE_MS,
      isPassedBy: (values) => {
        const value = Number(values[channel]);
        const bound =
          setpoint_channel === undefined ? limit : Number(values[setpoint_channel]) * (1 + limit / 100);
        return name.endsWith('HIGH') ? value > bound : value < bound;
      },
    })),
  );

/** One service of a lab file. */
export function describeUnit({ kind, name, device }: LabUnit, staleAfterMinutes: number) {
  const { location, channels, limits } = EQUIPMENT[kind];
  return {
    key: device,
    name,
    asset: name,
    location,
    device: { key: device },
    channels: [...channels, ...DIAGNOSTICS],
    limits,
    stale_after_minutes: staleAfterMinutes,
  };
}

export function describeLab({
  organization,
  units,
  intervalSeconds,
  secret,
}: {
  organization: string;
  units: readonly LabUnit[];
  intervalSeconds: number;
  secret: string | null;
}): string {
  const staleAfterMinutes = Math.max(STALE_AFTER_MINUTES, Math.ceil((3 * intervalSeconds) / 60));
  const services = units.map((unit) => describeUnit(unit, staleAfterMinutes));
  const sources = secret === null ? {} : { sources: [{ name: 'simulated gateway', secret }] };
  return JSON.stringify({ organizations: [{ name: organization, ...sources, services }] }, null, 2);
}
