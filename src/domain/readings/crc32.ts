// The checksum of zip and PNG. Every change of up to 32 bits in a row is found, so every single bit.

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** Of the first `length` bytes, as a number of 32 bits with a sign: V8 is quick with those only. */
export function crc32(bytes: Uint8Array, length: number): number {
  let rest = -1;
  for (let index = 0; index < length; index += 1)
    rest = (TABLE[(rest ^ (bytes[index] ?? 0)) & 255] ?? 0) ^ (rest >>> 8);
  return ~rest;
}
