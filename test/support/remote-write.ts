// Requests of Prometheus remote write, as a sender would write them.
import {
  bytesField,
  doubleField,
  fixed64Field,
  wholeField,
  writeMessage,
} from '../../src/domain/ways-in/write-protobuf.ts';

export interface SentSeries {
  labels: Record<string, string>;
  /** A bigint is the bits of a double. */
  samples: [value: number | bigint, at: number][];
  histograms?: number;
  exemplars?: number;
}

const sample = ([value, at]: SentSeries['samples'][number]) =>
  bytesField(
    2,
    writeMessage(
      typeof value === 'bigint' ? fixed64Field(1, value) : doubleField(1, value),
      wholeField(2, at),
    ),
  );
const repeat = (field: number, times = 0) => Array.from({ length: times }, () => bytesField(field, ''));

export const writeRequest1 = (series: SentSeries[]): Uint8Array<ArrayBuffer> =>
  writeMessage(
    ...series.map(({ labels, samples, histograms, exemplars }) =>
      bytesField(
        1,
        writeMessage(
          ...Object.entries(labels).map(([name, value]) =>
            bytesField(1, writeMessage(bytesField(1, name), bytesField(2, value))),
          ),
          ...samples.map(sample),
          ...repeat(3, exemplars),
          ...repeat(4, histograms),
        ),
      ),
    ),
  );

export function writeRequest2(series: SentSeries[]): Uint8Array<ArrayBuffer> {
  const symbols = [''];
  const refOf = (text: string) => {
    if (!symbols.includes(text)) symbols.push(text);
    return symbols.indexOf(text);
  };
  const written = series.map(({ labels, samples, histograms, exemplars }) => {
    const refs = Object.entries(labels).flat().map(refOf);
    return bytesField(
      5,
      writeMessage(
        bytesField(1, writeMessage(...refs.map((ref) => wholeField(1, ref).subarray(1)))),
        ...samples.map(sample),
        ...repeat(3, histograms),
        ...repeat(4, exemplars),
      ),
    );
  });
  return writeMessage(...symbols.map((symbol) => bytesField(4, symbol)), ...written);
}

export const CONTENT_TYPES = {
  1: 'application/x-protobuf',
  2: 'application/x-protobuf;proto=io.prometheus.write.v2.Request',
};
