// One record of a readings file becomes one entry of a telemetry post, as a gateway would send it.
import { trimEnd } from '../../domain/trim-sign.ts';
import type { CsvLayout } from './csv-layout.ts';

export interface ReadLine {
  /** null: nothing on this line can be used, or there is nothing on it. */
  entry: SentEntry | null;
  faults: string[];
}

/** In the words of domain/readings/telemetry.ts, which judges the rest: names, future times, unknown services. */
export type SentEntry = ({ device: string } | { service_id: number }) & {
  time: string | number;
  values: Record<string, number | boolean>;
};

export function readLine(layout: CsvLayout, fields: readonly string[], hasDecimalComma: boolean): ReadLine {
  const nothing = (fault: string): ReadLine => ({ entry: null, faults: [fault] });
  const isLonger = fields.slice(layout.count).some((field) => field.trim() !== '');
  if (fields.length < layout.count || isLonger)
    return nothing(`has ${fields.length} fields, but the first line has ${layout.count}`);
  const cell = (column: number) => fields[column]?.trim() ?? '';

  const time = readCsvTime(cell(layout.time));
  if (time === null) return nothing('time is missing');
  if (typeof time === 'number' && time < EARLIEST_MS)
    return nothing('time looks like seconds: epoch milliseconds are expected');

  const faults: string[] = [];
  const values: [string, number | boolean][] = [];
  for (const [name, text] of findCells(layout, cell)) {
    if (text === '' && layout.kind === 'wide') continue;
    const value = readCsvValue(text, hasDecimalComma);
    if (value === null)
      faults.push(`${name}: ${text === '' ? 'no value' : `${JSON.stringify(text)} is not a number`}`);
    else values.push([name, value]);
  }
  if (values.length === 0) return { entry: null, faults };
  return { entry: { ...findTarget(layout, cell), time, values: Object.fromEntries(values) }, faults };
}

const findCells = (layout: CsvLayout, cell: (column: number) => string): [name: string, text: string][] =>
  layout.kind === 'long'
    ? [[cell(layout.channel), cell(layout.value)]]
    : layout.channels.map(({ column, name }) => [name, cell(column)]);

function findTarget({ target }: CsvLayout, cell: (column: number) => string) {
  if (typeof target === 'number') return { device: cell(target) };
  return 'device' in target ? target : { service_id: target.serviceId };
}

// 1973: what is smaller was meant as seconds.
const EARLIEST_MS = 1e11;

/** ISO 8601, also with spaces before the time and the offset, or epoch milliseconds. */
export function readCsvTime(text: string): string | number | null {
  if (text === '') return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const dated = text.replace(/^(\d{4}-\d{2}-\d{2}) +(?=\d)/, '$1T');
  const offset = /([+-]\d{2}:?\d{2}|Z)$/i.exec(dated)?.[1] ?? '';
  return `${trimEnd(dated.slice(0, dated.length - offset.length), ' ')}${offset}`;
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

export function readCsvValue(text: string, hasDecimalComma: boolean): number | boolean | null {
  if (/^true$/i.test(text)) return true;
  if (/^false$/i.test(text)) return false;
  const number = hasDecimalComma ? text.replace(',', '.') : text;
  if (!NUMBER.test(number)) return null;
  const value = Number(number);
  return Number.isFinite(value) ? value : null;
}
