// What is said of a unit for the day on which it fails: what has to be moved, at what cold, where to, and what it can take in.
import { message } from '../language/message.ts';
import type { Language } from '../language/speak.ts';
import { ok, type Result, refuse } from '../result.ts';

/** The coldest first. */
export const TEMPERATURE_CLASSES = {
  nitrogen: message('Liquid nitrogen, −150 °C and below'),
  ultra_low: message('−80 °C'),
  freezer: message('−20 °C'),
  fridge: message('4 °C'),
  incubator: message('37 °C'),
} as const;
export type TemperatureClass = keyof typeof TEMPERATURE_CLASSES;
export const ALL_TEMPERATURE_CLASSES = Object.keys(TEMPERATURE_CLASSES) as TemperatureClass[];

export interface Rescue {
  temperatureClass: TemperatureClass | null;
  /** What is inside. */
  racks: number | null;
  /** What has room for more; null: it is no refuge. */
  freeRacks: number | null;
  /** 1: it is emptied first. */
  rescueOrder: number | null;
  /** From here on what is inside suffers. */
  dangerValue: number | null;
}

export const NO_RESCUE: Rescue = {
  temperatureClass: null,
  racks: null,
  freeRacks: null,
  rescueOrder: null,
  dangerValue: null,
};

export type RescueField = keyof Rescue;

export const RESCUE_FIELDS = {
  temperatureClass: { word: 'temperature_class', title: message('Temperature class') },
  racks: { word: 'racks', title: message('Racks inside') },
  freeRacks: { word: 'free_racks', title: message('Free racks') },
  rescueOrder: { word: 'rescue_order', title: message('Order of rescue') },
  dangerValue: { word: 'danger_value', title: message('What is inside suffers from') },
} as const satisfies Record<RescueField, { word: string; title: string }>;

export const MOST_RACKS = 10_000;

type RescueFault = 'not_a_class' | 'not_a_count' | 'not_a_value';

const FAULTS = {
  not_a_class: message('Choose one of the classes, or none.'),
  not_a_count: message('Give a whole number from 0 to {most}, or nothing.'),
  not_a_value: message('Give a number, or nothing.'),
} as const satisfies Record<RescueFault, string>;

export interface RefusedRescue {
  field: RescueField;
  fault: RescueFault;
}

export const sayRescueFault = ({ fault }: RefusedRescue, { say }: Language): string =>
  fault === 'not_a_count' ? say(FAULTS.not_a_count, { most: MOST_RACKS }) : say(FAULTS[fault]);

export type TypedRescue = { [Field in RescueField]?: string | undefined };

/** Blank is nothing said. */
export function readRescue(typed: TypedRescue): Result<Rescue, RefusedRescue> {
  const textOf = (field: RescueField) => (typed[field] ?? '').trim().replaceAll('−', '-');
  const temperatureClass = ALL_TEMPERATURE_CLASSES.find((one) => one === textOf('temperatureClass')) ?? null;
  if (temperatureClass === null && textOf('temperatureClass') !== '')
    return refuse({ field: 'temperatureClass', fault: 'not_a_class' });
  const read: Rescue = { ...NO_RESCUE, temperatureClass };
  for (const field of ['racks', 'freeRacks', 'rescueOrder'] as const) {
    const text = textOf(field);
    if (text === '') continue;
    if (!/^\d{1,5}$/.test(text) || Number(text) > MOST_RACKS) return refuse({ field, fault: 'not_a_count' });
    read[field] = Number(text);
  }
  const danger = textOf('dangerValue').replace(',', '.');
  if (danger === '') return ok(read);
  if (!/^-?\d{1,6}(\.\d{1,6})?$/.test(danger)) return refuse({ field: 'dangerValue', fault: 'not_a_value' });
  return ok({ ...read, dangerValue: Number(danger) });
}
