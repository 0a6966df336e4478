import { expect, test } from 'vitest';
import { AUDIT_SENTENCES, isAuditAction } from './audit-words.ts';

const FACTS = ['who', 'unit', 'name', 'email'];

test.each(Object.entries(AUDIT_SENTENCES))('%s asks for facts that every record has', (_, sentence) => {
  const asked = [...sentence.matchAll(/\{(\w*)/g)].map(([, fact]) => fact);
  expect(asked.length).toBeGreaterThan(0);
  expect(FACTS).toEqual(expect.arrayContaining(asked));
});

test('each act has a sentence of its own', () => {
  expect(new Set(Object.values(AUDIT_SENTENCES)).size).toBe(Object.keys(AUDIT_SENTENCES).length);
});

test('what nobody writes is no act', () => {
  expect(isAuditAction('alarm.acknowledge')).toBe(true);
  expect(isAuditAction('toString')).toBe(false);
});
