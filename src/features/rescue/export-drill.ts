// Who would go where, as CSV: a line for each unit, in the order of rescue.
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
