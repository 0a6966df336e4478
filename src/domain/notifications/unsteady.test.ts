import { expect, test } from 'vitest';
import { findUnsteady } from './unsteady.ts';

const VERA = { transport: 'email', recipient: 'vera@lab.example' } as const;
const at = (minute: number) => new Date(Date.UTC(2026, 10, 16, 3, minute));
const told = (...minutes: number[]) => minutes.map((minute) => ({ ...VERA, at: at(minute) }));

test.each<[what: string, told: number[], now: number, expected: ReturnType<typeof findUnsteady>]>([
  ['two before are steady', [0, 5], 10, null],
  ['the fourth within an hour says so', [0, 5, 10], 15, { count: 4 }],
  ['a fifth waits half an hour', [0, 5, 10, 15], 20, { heldUntil: at(45) }],
  ['and is notified then', [0, 5, 10, 15], 45, { count: 5 }],
  ['what is older than an hour does not count', [0, 5, 10, 15], 70, null],
])('%s', (_, minutes, now, expected) => {
  expect(findUnsteady(VERA, told(...minutes), at(now))).toEqual(expected);
});

test('what others were told does not count', () => {
  expect(findUnsteady({ ...VERA, recipient: 'oscar@lab.example' }, told(0, 5, 10), at(15))).toBeNull();
});
