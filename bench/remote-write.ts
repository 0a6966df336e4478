// A body of Prometheus remote write 1.0 as Prometheus would pack it: what series have in common is pointed to.
import { bytesField, doubleField, wholeField, writeMessage } from '../src/domain/ways-in/write-protobuf.ts';

export const METRIC = 'ult_temperature_celsius';

const label = (name: string, value: string) =>
  bytesField(1, writeMessage(bytesField(1, name), bytesField(2, value)));
const SAME = writeMessage(label('__name__', METRIC));
const ALSO_THE_SAME = writeMessage(label('instance', '10.0.0.7:9100'), label('job', 'lab'));
/** Six bytes, as those of all times of this century. */
const timeField = (at: number) => wholeField(2, at);
const TIME_BYTES = 6;

export const writeTime = (at: number): Uint8Array => timeField(at).subarray(1);

/** With the places at which the times stand. */
export function packSeries(entries: { device: string; value: number }[]): {
  body: Buffer;
  offsets: number[];
} {
  const packed: Uint8Array[] = [];
  const offsets: number[] = [];
  const seen = new Map<Uint8Array, number>();
  let [length, packedLength] = [0, 0];
  const push = (...bytes: Uint8Array[]) => {
    for (const piece of bytes) {
      packed.push(piece);
      packedLength += piece.length;
    }
  };
  const addLiteral = (bytes: Uint8Array) => {
    push(Uint8Array.of((bytes.length - 1) << 2), bytes);
    length += bytes.length;
  };
  const addRepeated = (bytes: Uint8Array) => {
    const back = length - (seen.get(bytes) ?? length);
    seen.set(bytes, length);
    if (back === 0) return addLiteral(bytes);
    push(Uint8Array.of(((bytes.length - 1) << 2) | 2, back & 255, back >>> 8));
    length += bytes.length;
  };
  for (const { device, value } of entries) {
    const own = label('device', device);
    const sample = writeMessage(doubleField(1, value), timeField(1_800_000_000_000));
    const series = SAME.length + own.length + ALSO_THE_SAME.length + 2 + sample.length;
    addLiteral(Uint8Array.of(10, series));
    addRepeated(SAME);
    addLiteral(own);
    addRepeated(ALSO_THE_SAME);
    addLiteral(bytesField(2, sample));
    offsets.push(packedLength - TIME_BYTES);
  }
  const header = wholeField(1, length).subarray(1);
  return {
    body: Buffer.concat([header, ...packed]),
    offsets: offsets.map((offset) => offset + header.length),
  };
}
