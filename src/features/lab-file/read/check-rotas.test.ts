import { expect, test } from 'vitest';
import { faultsOf } from '../../../../test/support/lab-file-faults.ts';

const rota = (lines: string) =>
  `organizations: [{ name: L, rotas: [{ name: R, timezone: Europe/Berlin, ${lines} }] }]`;
const places = (text: string) =>
  faultsOf(text).map((fault) => fault.replace(/^\S+ \| organizations\[0\]\./, ''));
const people = (count: number) => Array.from({ length: count }, (_, index) => `p${index}@b`).join(', ');

test.each([
  ['one handover', 'handover: "08:00", members: [a@b]', []],
  [
    'several',
    'handovers: [{ at: "08:00", members: [a@b] }, { at: "08:00", timezone: America/New_York, members: [a@b] }]',
    [],
  ],
  ['neither', 'every: day', ['rotas[0] | must have either handover and members, or handovers']],
  [
    'both',
    'handover: "08:00", members: [a@b], handovers: [{ at: "09:00", members: [a@b] }]',
    ['rotas[0] | must have either handover and members, or handovers'],
  ],
  [
    'a time that is none',
    'handover: "25:00", members: [a@b]',
    ['rotas[0].handover | must be a time such as "08:00"'],
  ],
  ['none of several', 'handovers: []', ['rotas[0].handovers | must not be empty']],
  [
    'nobody',
    'handovers: [{ at: "08:00", members: [] }]',
    ['rotas[0].handovers[0].members | must not be empty'],
  ],
  [
    'two at the same time',
    'handovers: [{ at: "08:00", members: [a@b] }, { at: "08:00", timezone: Europe/Berlin, members: [c@d] }]',
    ['rotas[0].handovers[1].at | "08:00 Europe/Berlin" is already given on line 1'],
  ],
  [
    'more than a day has',
    `handovers: [${Array.from({ length: 7 }, (_, hour) => `{ at: "0${hour}:00", members: [a@b] }`).join(', ')}]`,
    ['rotas[0].handovers | A rota has at most 6 handovers a day: leave one out.'],
  ],
  [
    'more people than take turns',
    `handover: "08:00", members: [${people(51)}]`,
    ['rotas[0].members | A rota has at most 50 people at each handover: make another rota for the others.'],
  ],
])('a rota with %s', (_, lines, faults) => {
  expect(places(rota(lines))).toEqual(faults);
});

test('an organization with more rotas, or lines of lab hours, than there may be', () => {
  const line = '{ days: [mon], from: "08:00", to: "09:00" }';
  const rotas = Array.from(
    { length: 51 },
    (_, index) => `{ name: R${index}, timezone: UTC, handover: "08:00", members: [a@b] }`,
  );
  const text = `organizations: [{ name: L, rotas: [${rotas.join(', ')}], lab_hours: { timezone: UTC, weekly: [${Array.from({ length: 15 }, () => line).join(', ')}] } }]`;
  expect(places(text).sort()).toEqual([
    'lab_hours.weekly | An organization has at most 14 lines of lab hours: join two of them.',
    'rotas | An organization has at most 50 rotas: delete one that is not needed.',
  ]);
});
