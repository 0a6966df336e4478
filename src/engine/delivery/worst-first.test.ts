import { expect, test } from 'vitest';
import { NOTICES, type Told } from '../../../test/support/notices.ts';
import { compareWorstFirst } from './worst-first.ts';

const atMinute = (told: Told, minute: number) => ({
  ...NOTICES[told],
  message: `${told} ${minute}`,
  at: new Date(Date.UTC(2026, 10, 15, 2, minute)),
});

test('critical before warning before stale before the rest, then the oldest first', () => {
  const notices = [
    atMinute('back', 5),
    atMinute('drill', 1),
    atMinute('recovery', 4),
    atMinute('acknowledgement', 2),
    atMinute('stale', 0),
    atMinute('warning', 9),
    atMinute('warning', 3),
    atMinute('repeat', 7),
    atMinute('critical', 8),
  ];
  expect(notices.sort(compareWorstFirst).map(({ message }) => message)).toEqual([
    'repeat 7',
    'critical 8',
    'warning 3',
    'warning 9',
    'stale 0',
    'drill 1',
    'acknowledgement 2',
    'recovery 4',
    'back 5',
  ]);
});
