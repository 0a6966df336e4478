// What outlives a program that dies without a word: a file that its parent opened before it began. Written where the program
// stands, read when it is gone; nothing waits for a disk.

/** Where it stood still. */
const STANDSTILL_BYTES = 2_048;
/** One of the things that it is at. */
const SLOT_BYTES = 64;
export const SLOTS = 256;

export const WORDS_BYTES = STANDSTILL_BYTES + SLOTS * SLOT_BYTES;

type WriteAt = (bytes: Buffer, at: number) => void;

export interface LastWords {
  /** null: it did not stand still. */
  stoodStillAt: string[] | null;
  inHand: string[];
}

export function writeStandstill(writeAt: WriteAt, where: readonly string[] | null): void {
  writeAt(Buffer.from((where ?? ['could not be seen']).join('\n')).subarray(0, STANDSTILL_BYTES), 0);
}

export const writeSlot = (writeAt: WriteAt, slot: number, item: string): void => {
  const bytes = Buffer.alloc(SLOT_BYTES);
  bytes.write(item);
  writeAt(bytes, placeOf(slot));
};

export const freeSlot = (writeAt: WriteAt, slot: number): void => writeAt(Buffer.alloc(1), placeOf(slot));

const placeOf = (slot: number) => STANDSTILL_BYTES + slot * SLOT_BYTES;

export function readLastWords(words: Buffer): LastWords {
  const standstill = readText(words.subarray(0, STANDSTILL_BYTES));
  const slots = Array.from({ length: SLOTS }, (_, slot) => placeOf(slot));
  return {
    stoodStillAt: standstill === '' ? null : standstill.split('\n'),
    inHand: slots.map((at) => readText(words.subarray(at, at + SLOT_BYTES))).filter((text) => text !== ''),
  };
}

const readText = (bytes: Buffer): string => {
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end === -1 ? bytes.length : end).toString('utf8');
};
