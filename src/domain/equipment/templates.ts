// Limits that labs usually set for a channel, to begin with. Whoever adopts a device sees them and may change them.
// There is none for oxygen: people in a room need a certified detector.
import type { Band, BandName } from '../judging/band.ts';
import { message } from '../language/message.ts';
import type { Language } from '../language/speak.ts';
import { type ChannelKind, guessChannelKind } from './channel-kind.ts';

export interface Template {
  label: string;
  channel: {
    label: string;
    unit: string | null;
    kind: ChannelKind;
    words?: (language: Language) => { off: string; on: string };
  };
  bands: Band[];
}

type Edges = Partial<
  Record<'critLow' | 'warnLow' | 'warnHigh' | 'critHigh', [limit: number, sustained: number]>
>;

const NAMES: Record<keyof Edges, BandName> = {
  critHigh: 'CRITICAL_HIGH',
  critLow: 'CRITICAL_LOW',
  warnHigh: 'WARNING_HIGH',
  warnLow: 'WARNING_LOW',
};

const bandsOf = (edges: Edges): Band[] =>
  Object.entries(edges).map(([edge, [limit, sustainedMinutes]]) => ({
    band: NAMES[edge as keyof Edges],
    limit,
    delayMinutes: 0,
    sustainedMinutes,
  }));

const TEMPERATURE = {
  label: message('Temperature'),
  unit: '°C',
  kind: 'metric',
} as const satisfies Template['channel'];

/** By the word that forms send. Minutes are those that a breach has to last. */
export const TEMPLATES = {
  'freezer-80': {
    label: message('−80 °C freezer'),
    channel: TEMPERATURE,
    bands: bandsOf({ warnLow: [-90, 60], warnHigh: [-70, 30], critHigh: [-60, 15] }),
  },
  'freezer-20': {
    label: message('−20 °C freezer (defrosts)'),
    channel: TEMPERATURE,
    bands: bandsOf({ warnLow: [-30, 60], warnHigh: [-15, 60], critHigh: [-10, 60] }),
  },
  fridge: {
    label: message('Fridge 2–8 °C'),
    channel: TEMPERATURE,
    bands: bandsOf({ critLow: [2, 15], warnLow: [3, 30], warnHigh: [7, 30], critHigh: [8, 30] }),
  },
  'cold-room': {
    label: message('Cold room 4 °C'),
    channel: TEMPERATURE,
    bands: bandsOf({ critLow: [0, 30], warnLow: [2, 30], warnHigh: [7, 45], critHigh: [8, 60] }),
  },
  incubator: {
    label: message('Incubator 37 °C'),
    channel: TEMPERATURE,
    bands: bandsOf({ critLow: [36, 30], warnLow: [36.5, 30], warnHigh: [37.5, 30], critHigh: [38, 5] }),
  },
  'incubator-co2': {
    label: message('Incubator CO₂ 5 %'),
    channel: { label: message('CO₂'), unit: '%', kind: 'metric' },
    bands: bandsOf({ critLow: [4, 30], warnLow: [4.5, 30], warnHigh: [5.5, 30], critHigh: [6, 30] }),
  },
  'ln2-vapour': {
    label: message('LN₂ vapour °C'),
    channel: TEMPERATURE,
    bands: bandsOf({ warnHigh: [-160, 30], critHigh: [-150, 15] }),
  },
  'ln2-level': {
    label: message('LN₂ level % (differs by tank)'),
    channel: { label: message('Level'), unit: '%', kind: 'metric' },
    bands: bandsOf({ critLow: [20, 30], warnLow: [30, 30] }),
  },
  room: {
    label: message('Room °C'),
    channel: TEMPERATURE,
    bands: bandsOf({ critLow: [15, 30], warnLow: [18, 30], warnHigh: [25, 30], critHigh: [30, 30] }),
  },
  'room-humidity': {
    label: message('Room humidity %'),
    channel: { label: message('Humidity'), unit: '%', kind: 'metric' },
    bands: bandsOf({ warnLow: [25, 60], warnHigh: [65, 60] }),
  },
  relay: {
    label: message('Relay contact'),
    channel: {
      label: message('Alarm contact'),
      unit: null,
      kind: 'state',
      words: ({ sayAs }: Language) => ({ off: sayAs('state', 'normal'), on: sayAs('state', 'alarm') }),
    },
    bands: bandsOf({ critHigh: [0.5, 1] }),
  },
  battery: {
    label: message('Battery %'),
    channel: { label: message('Battery'), unit: '%', kind: 'diagnostic' },
    bands: bandsOf({ warnLow: [15, 60] }),
  },
} as const satisfies Record<string, Template>;

export type TemplateName = keyof typeof TEMPLATES;

export const isTemplate = (name: string | undefined): name is TemplateName =>
  name !== undefined && Object.hasOwn(TEMPLATES, name);

interface HeardChannel {
  name: string;
  value: number;
  isState: boolean;
}

/** By what a channel is called and what it last said; null: no idea, or one that has limits of its own kind. */
export function proposeTemplate({ name, value, isState }: HeardChannel): TemplateName | null {
  if (/batt?ery/i.test(name)) return value >= 0 && value <= 100 && !/volt|_v$/i.test(name) ? 'battery' : null;
  if (/relay|alarm|contact/i.test(name)) return isState || value === 0 || value === 1 ? 'relay' : null;
  if (guessChannelKind(name, isState) !== 'metric') return null;
  if (/hum|(^|[._ -])rh$/i.test(name)) return 'room-humidity';
  if (/co2|carbon/i.test(name)) return value > 0 && value < 20 ? 'incubator-co2' : null;
  if (/level/i.test(name)) return value >= 0 && value <= 100 ? 'ln2-level' : null;
  return /temp|(^|[._ -])t\d*(c|$)/i.test(name) ? proposeByTemperature(value) : null;
}

/** The nearest of what a lab has; between them nothing is proposed rather than something wrong. */
const TEMPERATURES: [from: number, to: number, template: TemplateName][] = [
  [-200, -130, 'ln2-vapour'],
  [-95, -55, 'freezer-80'],
  [-35, -10, 'freezer-20'],
  [1, 9, 'fridge'],
  [15, 30, 'room'],
  [34, 40, 'incubator'],
];

const proposeByTemperature = (value: number): TemplateName | null =>
  TEMPERATURES.find(([from, to]) => value >= from && value <= to)?.[2] ?? null;
