// What the columns of a readings file mean, by its header line.

import type { Target } from '../../domain/readings/telemetry.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';

interface Columns {
  count: number;
  time: number;
  /** The column that names the device, or whose readings all lines are. */
  target: number | Target;
}

export type CsvLayout = Columns &
  (
    | { kind: 'long'; channel: number; value: number; ignored: string[] }
    | { kind: 'wide'; channels: { column: number; name: string }[] }
  );

const TIME_NAMES = ['time', 'timestamp'];
const LONG_NAMES = ['channel', 'value', 'device', ...TIME_NAMES];

/** `target` is what the command line says; a file has either that or a device column. */
export function readLayout(header: readonly string[], target: Target | null): Result<CsvLayout, string> {
  const names = header.map((name) => name.trim());
  const lowerNames = names.map((name) => name.toLowerCase());
  const double = lowerNames.find((name, column) => name !== '' && lowerNames.indexOf(name) !== column);
  if (double !== undefined) return refuse(`has two columns named ${double}`);
  const [time, second] = TIME_NAMES.map((name) => lowerNames.indexOf(name)).filter((column) => column >= 0);
  if (time === undefined) return refuse('has no column named time or timestamp in its first line');
  if (second !== undefined) return refuse('has both a time and a timestamp column');

  const device = lowerNames.indexOf('device');
  if (device >= 0 && target) return refuse('has a device column: leave out --device and --service');
  if (device < 0 && !target)
    return refuse('has no device column: say whose readings they are with --device or --service');
  const columns = { count: names.length, time, target: target ?? device };

  const [channel, value] = [lowerNames.indexOf('channel'), lowerNames.indexOf('value')];
  if (channel >= 0 && value >= 0) {
    const ignored = names.filter((name) => name !== '' && !LONG_NAMES.includes(name.toLowerCase()));
    return ok({ ...columns, kind: 'long', channel, value, ignored });
  }
  const channels = names
    .map((name, column) => ({ column, name }))
    .filter(({ column, name }) => name !== '' && column !== time && column !== device);
  if (channels.length === 0) return refuse('has no column with values');
  return ok({ ...columns, kind: 'wide', channels });
}
