/** `Ada`, `Ada or Bo`: the keepers whose names the reader may know. */
export function sayWhomToAsk(keepers: readonly string[]): string {
  const [last, ...others] = [...keepers].reverse();
  if (last === undefined) return 'whoever runs this Tocsin';
  return others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
}
