// Words that stand for a state, and words by which a probe says that it cannot measure. Other text says nothing.

const ON = ['open', 'on', 'true', 'wet', 'alarm', 'high'];
const OFF = ['closed', 'close', 'off', 'false', 'dry', 'normal', 'low'];
const FAULTS = ['error', 'fault', 'nan', 'inf', '-inf', 'infinity', '-infinity', 'sensor no connection'];

const MEANINGS = new Map<string, 0 | 1 | 'fault'>([
  ...ON.map((word): [string, 1] => [word, 1]),
  ...OFF.map((word): [string, 0] => [word, 0]),
  ...FAULTS.map((word): [string, 'fault'] => [word, 'fault']),
]);
const LONGEST = 24;

/** null: text that says nothing. */
export const readWord = (text: string): 0 | 1 | 'fault' | null =>
  text.length > LONGEST ? null : (MEANINGS.get(text.trim().toLowerCase()) ?? null);
