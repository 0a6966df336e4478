/** The end of a scale that counts: 1, 2, 3, 4, 6, 8, 10, 20 and so on, whatever is at least as much. */
export function roundUp(count: number): number {
  for (let ten = 1; ; ten *= 10)
    for (const step of [1, 2, 3, 4, 6, 8]) if (step * ten >= count) return step * ten;
}
