import { expect, test } from 'vitest';
import type { ServiceId } from '../../domain/ids.ts';
import { gatherMarks } from './rollup-marks.ts';

const at = (time: string) => Date.parse(`2026-11-15T${time}Z`);
const row = (channelId: number, time: string) => ({ channelId, at: at(time) });
const columns = (rows: ReturnType<typeof row>[]) => ({
  serviceIds: rows.map(() => 7 as ServiceId),
  channelIds: rows.map(({ channelId }) => channelId),
  ats: rows.map((one) => one.at),
});
const mark = (channelId: number, hour: string) => ({ serviceId: 7, channelId, hour: at(hour) });
const SEAL = at('02:50:00');

test.each([
  ['readings after the seal leave no mark', [row(1, '02:50:00'), row(1, '03:05:00')], []],
  ['one before it marks its hour', [row(1, '02:49:59.999')], [mark(1, '02:00:00')]],
  ['many of an hour mark it once', [row(1, '01:00:00'), row(1, '01:59:59')], [mark(1, '01:00:00')]],
  [
    'each channel and hour for itself',
    [row(1, '01:10:00'), row(2, '01:10:00'), row(1, '00:10:00')],
    [mark(1, '01:00:00'), mark(2, '01:00:00'), mark(1, '00:00:00')],
  ],
])('%s', (_, rows, marks) => expect(gatherMarks(columns(rows), SEAL)).toEqual(marks));

test('before the first seal nothing is marked', () =>
  expect(gatherMarks(columns([row(1, '01:00:00')]), Number.NEGATIVE_INFINITY)).toEqual([]));
