import { type Static, type TSchema, Type } from 'typebox';

/** One type or null, not a choice of two schemas: choices are tried one by one for every value that is written out. */
export const orNull = <Schema extends TSchema & { type: string }>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] });

/** One of these words, written out without asking which. */
export const wordOf = <Word extends string>(...words: Word[]) =>
  Type.Unsafe<Word>({ type: 'string', enum: words });
