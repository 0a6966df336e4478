import { expect, test } from 'vitest';
import { acceptPassword } from './accept-password.ts';

const vera = { email: 'vera.klein@cell-biology.example', name: 'Vera Klein' };

test.each([
  ['1234567', 'password_too_short'],
  ['äöüßäöü', 'password_too_short'],
  ['12345678', 'password_too_common'],
  ['password', 'password_too_common'],
  ['PassWord', 'password_too_common'],
  ['Password2026!', 'password_too_common'],
  ['!!sunshine!!', 'password_too_common'],
  ['trustno1', 'password_too_common'],
  ['aaaaaaaaaaaaaaaa', 'password_too_common'],
  ['abababab1212'.slice(0, 8), 'password_too_common'],
  ['Klein-2026', 'password_too_personal'],
  ['vera klein', 'password_too_personal'],
  ['vera.klein@cell-biology.example', 'password_too_personal'],
  ['2026biology', 'password_too_personal'],
  ['Tocsin123', 'password_too_personal'],
])('%s is refused: %s', (password, fault) => {
  expect(acceptPassword(password, vera)).toEqual({ ok: false, refusal: fault });
});

test.each([
  'correct horse battery',
  'freezers never sleep',
  'sunshine over the lab',
  'Vera likes cold rooms',
  'kühlraum-vier',
  '8Kd0-x2Lq',
  '27182818284590',
])('%s is taken as it is', (password) => {
  expect(acceptPassword(password, vera)).toEqual({ ok: true, value: password });
});

test('an empty list entry takes nothing out: digits alone have no core', () => {
  expect(acceptPassword('90412 77183').ok).toBe(true);
});
