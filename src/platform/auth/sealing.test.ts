import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeSealingKey, seal, unseal } from './sealing.ts';

const key = makeSealingKey(Buffer.alloc(32, 'one'));
const other = makeSealingKey(Buffer.alloc(32, 'two'));

test('what is sealed comes back with its key and its name, and with nothing else', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const plain = Buffer.from(text).toString('utf8');
      const sealed = seal(key, 'sms', plain);
      expect(unseal(key, 'sms', sealed)).toBe(plain);
      expect(unseal(other, 'sms', sealed)).toBeNull();
      expect(unseal(key, 'telegram', sealed)).toBeNull();
    }),
  ));

test('a changed bit, or a part that is missing, is not read', () => {
  const sealed = seal(key, 'sms', 'geheim');
  for (const at of sealed.keys()) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(unseal(key, 'sms', changed)).toBeNull();
    expect(unseal(key, 'sms', sealed.subarray(0, at))).toBeNull();
  }
});

test('the same twice looks different, and shows nothing of itself', () => {
  const [once, twice] = [seal(key, 'sms', 'geheim'), seal(key, 'sms', 'geheim')];
  expect(once.equals(twice)).toBe(false);
  expect(once.includes('geheim')).toBe(false);
});

test('keys are told apart by an id that is the same at every start', () => {
  expect(makeSealingKey(Buffer.alloc(32, 'one')).id).toBe(key.id);
  expect(key.id).not.toBe(other.id);
  expect(key.id).toMatch(/^[0-9a-f]{12}$/);
});
