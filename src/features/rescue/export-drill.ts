// Who would go where, as CSV: a line for each unit, in the order of rescue.
import { ALL_TEMPERATURE_CLASSES } from '../../domain/rescue/rescue.ts';
import type { DrillOfYear } from '../../engine/rescue/kept-drill-rows.ts';
import type { DrillPlan } from '../../engine/rescue/read-drill.ts';
import { type CsvCell, writeLine } from '../../platform/csv-lines.ts';

type Line = DrillPlan['destinations'][number] & { place: number };

const COLUMNS: [head: string, read: (line: Line) => CsvCell][] = [
  ['number', ({ place }) => place],
  ['service_id', ({ unit }) => unit.serviceId],
  ['service', ({ unit }) => unit.name],
  ['location', ({ unit }) => unit.locationName],
  ['temperature_class', ({ unit }) => unit.temperatureClass],
  ['racks', ({ unit }) => unit.racks],
  ['rescue_order', ({ unit }) => unit.rescueOrder],
  ['value_class', ({ unit }) => unit.valueClass],
  ['refuge_id', ({ refuge }) => refuge?.serviceId ?? null],
  ['refuge', ({ refuge }) => refuge?.name ?? null],
  ['refuge_location', ({ refuge }) => refuge?.locationName ?? null],
];

export const exportDrill = ({ destinations }: DrillPlan): string =>
  [
    COLUMNS.map(([head]) => head),
    ...destinations.map((one, index) => COLUMNS.map(([, read]) => read({ ...one, place: index + 1 }))),
  ]
    .map(writeLine)
    .join('');

const DRILL_COLUMNS: [head: string, read: (drill: DrillOfYear) => CsvCell][] = [
  ['place', ({ place }) => place],
  ['held_on', ({ heldOn }) => heldOn],
  ['by', ({ by }) => by],
  ['units', ({ units }) => units],
  ['racks', ({ racks }) => racks],
  ['units_without_class', ({ unsaid }) => unsaid],
  ...ALL_TEMPERATURE_CLASSES.map((name): [string, (drill: DrillOfYear) => CsvCell] => [
    `missing_${name}`,
    ({ lacking }) => lacking.find(({ temperatureClass }) => temperatureClass === name)?.racks ?? 0,
  ]),
  ['remarks', ({ remarks }) => remarks],
];

/** The drills of a year: a line each, with racks that found no room. */
export const exportDrills = (drills: readonly DrillOfYear[]): string =>
  [
    DRILL_COLUMNS.map(([head]) => head),
    ...drills.map((drill) => DRILL_COLUMNS.map(([, read]) => read(drill))),
  ]
    .map(writeLine)
    .join('');
