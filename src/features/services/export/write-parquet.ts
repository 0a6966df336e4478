// The same columns as CSV for those who work with notebooks: times as instants, values as doubles, to the bit.
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { type Layout, NAMING } from './layout.ts';
import type { ExportedChannel, Rows, Unreadable } from './read-rows.ts';

export interface ParquetOptions {
  layout: Layout;
  /** In memory together; a file of few large groups is read faster, one of small ones holds nobody up. */
  rowsAtOnce: number;
  /** Asked at the end: what the file lacks is written into it. */
  damages: () => readonly Unreadable[];
}

type Column = Omit<SchemaElement, 'name'>;

const TIME: Column = {
  type: 'INT64',
  repetition_type: 'REQUIRED',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
};
const ID: Column = { type: 'INT32', repetition_type: 'REQUIRED' };
const TEXT: Column = { type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL', converted_type: 'UTF8' };
const NUMBER: Column = { type: 'DOUBLE', repetition_type: 'REQUIRED' };

function describeColumns(layout: Layout): SchemaElement[] {
  const naming = NAMING[layout].map(({ name, kind }) => ({ name, ...(kind === 'id' ? ID : TEXT) }));
  const columns = [
    { name: 'time', ...TIME },
    ...naming,
    { name: 'value', ...NUMBER },
    { name: 'unit', ...TEXT },
  ];
  return [{ name: 'readings', num_children: columns.length }, ...columns];
}

/** Chunks of bytes. */
export async function* writeParquet(
  blocks: AsyncIterable<Rows>,
  { layout, rowsAtOnce, damages }: ParquetOptions,
): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema: describeColumns(layout) });
  let gathered: Rows[] = [];
  let count = 0;
  for await (const block of blocks) {
    gathered.push(block);
    count += block.ats.length;
    if (count < rowsAtOnce) continue;
    writeGroup(file, layout, gathered, count);
    yield takeBytes(writer);
    gathered = [];
    count = 0;
  }
  if (count > 0) writeGroup(file, layout, gathered, count);
  file.kvMetadata = describeDamages(damages());
  await file.finish();
  yield takeBytes(writer);
}

function writeGroup(file: ParquetWriter, layout: Layout, blocks: readonly Rows[], count: number): void {
  const values = blocks.flatMap((block) => block.values);
  const cellsOf = (cell: (block: Rows, channel: ExportedChannel) => number | string | null) =>
    blocks.flatMap((block) => block.channels.map((channel) => cell(block, channel)));
  file.write({
    columnData: [
      {
        name: 'time',
        data: blocks.flatMap(({ ats }) => ats.map(BigInt)),
        encoding: 'DELTA_BINARY_PACKED',
      },
      ...NAMING[layout].map(({ name, cell }) => ({
        name,
        data: cellsOf(({ service }, channel) => cell(service, channel)),
      })),
      // A dictionary would take −0 for 0.
      { name: 'value', data: values, ...(values.some(isMinusZero) && { encoding: 'PLAIN' as const }) },
      { name: 'unit', data: cellsOf((_, { unit }) => unit) },
    ],
    rowGroupSize: count,
  });
}

const isMinusZero = (value: number) => Object.is(value, -0);

/** A copy: the writer goes on in the same memory. */
function takeBytes(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}

function describeDamages(damages: readonly Unreadable[]) {
  const left = damages.map(({ service, channel, from, to }) => ({
    service_id: service.id,
    channel: channel.name,
    from: from.toISOString(),
    to: to.toISOString(),
  }));
  return left.length > 0 ? [{ key: 'unreadable', value: JSON.stringify(left) }] : [];
}
