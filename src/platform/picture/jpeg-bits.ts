// The bits of a scan, and the codes that they are written in.
import { damaged } from './picture-fault.ts';

/** By the length of a code: the largest of that length, and where its values begin. */
export interface Huffman {
  largest: Int32Array;
  offsets: Int32Array;
  values: Uint8Array;
}

export function makeHuffman(counts: Uint8Array, values: Uint8Array): Huffman {
  const largest = new Int32Array(17).fill(-1);
  const offsets = new Int32Array(17);
  let code = 0;
  let at = 0;
  for (let length = 1; length <= 16; length += 1) {
    const count = counts[length - 1] as number;
    offsets[length] = at - code;
    code += count;
    at += count;
    if (count > 0) largest[length] = code - 1;
    if (code > 1 << length) throw damaged();
    code <<= 1;
  }
  return { largest, offsets, values: Uint8Array.from(values) };
}

export interface ScanBits {
  readBit(): number;
  read(count: number): number;
  /** With its sign, as differences are written. */
  readSigned(count: number): number;
  decode(table: Huffman): number;
  /** Over a mark to begin anew; nothing else may stand there. */
  restart(): void;
  /** Where the next marker stands. */
  end(): number;
}

export function openBits(bytes: Buffer, from: number): ScanBits {
  let at = from;
  let held = 0;
  let left = 0;

  const readBit = (): number => {
    if (left === 0) {
      held = bytes[at] ?? -1;
      if (held < 0) throw damaged();
      at += 1;
      if (held === 0xff) {
        if (bytes[at] !== 0) throw damaged();
        at += 1;
      }
      left = 8;
    }
    left -= 1;
    return (held >> left) & 1;
  };
  const read = (count: number): number => {
    let value = 0;
    for (let bit = 0; bit < count; bit += 1) value = (value << 1) | readBit();
    return value;
  };

  return {
    readBit,
    read,
    readSigned(count) {
      const value = read(count);
      return count === 0 || value >= 1 << (count - 1) ? value : value - (1 << count) + 1;
    },
    decode({ largest, offsets, values }) {
      let code = 0;
      for (let length = 1; length <= 16; length += 1) {
        code = (code << 1) | readBit();
        if (code <= (largest[length] as number)) {
          const value = values[code + (offsets[length] as number)];
          if (value === undefined) throw damaged();
          return value;
        }
      }
      throw damaged();
    },
    restart() {
      left = 0;
      const marker = bytes[at + 1] ?? 0;
      if (bytes[at] !== 0xff || marker < 0xd0 || marker > 0xd7) throw damaged();
      at += 2;
    },
    end: () => at,
  };
}
