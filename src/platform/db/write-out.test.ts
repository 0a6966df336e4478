import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { writeOut } from './write-out.ts';

test.each([
  [sql`select 1`, 'select 1'],
  [sql`select ${"it's"}`, "select 'it''s'"],
  [sql`select ${'back\\slash'}`, String.raw`select  E'back\\slash'`],
  [sql`select ${"'; drop table audit; --"}`, "select '''; drop table audit; --'"],
  [sql`select ${-5}::int, ${1.5}::float8`, "select '-5'::int, '1.5'::float8"],
  [sql`select ${[1, 2]}::int[]`, "select '{1,2}'::int[]"],
  [sql`select ${null}, ${true}`, 'select null, true'],
  [sql`select ${new Date('2026-11-15T03:00:00Z')}`, "select '2026-11-15T03:00:00.000Z'::timestamptz"],
  [sql`select ${sql`nested ${7}`} end`, "select nested '7' end"],
])('%#', (statement, text) => expect(writeOut(statement)).toBe(text));

test('what cannot be quoted safely is refused', () => {
  for (const value of [{}, Buffer.from('x'), ['a'], Symbol('s')]) {
    expect(() => writeOut(sql`select ${value}`)).toThrow(TypeError);
  }
});
