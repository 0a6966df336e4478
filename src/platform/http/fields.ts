// Reads path, query and form fields against a route's schema. All of them arrive as text; nothing is coerced silently.
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { MAX_ID } from '../../domain/ids.ts';

type RequestPart = 'path' | 'body' | 'query';

export interface FieldFault {
  type: 'missing' | 'integer' | 'range' | 'nul_character';
  loc: [RequestPart, string];
  msg: string;
  input: string | null;
}

/** Answered as 422 with the faults as its detail. */
export class FieldFaults extends Error {
  constructor(readonly faults: FieldFault[]) {
    super('The request has wrong fields');
  }
}

interface FieldSchema {
  type?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  blankIsMissing?: boolean;
  writeOnly?: boolean;
}

/** Free text; may be blank. */
export const text = (description: string) => Type.String({ description });
/** Text that counts as missing when nothing is left after trimming. */
export const filledText = (description: string) =>
  Type.String({ description, minLength: 1, blankIsMissing: true });
/** A secret that counts as missing only when empty, and is never repeated in an answer. */
export const secretText = (description: string) =>
  Type.String({ description, minLength: 1, writeOnly: true, format: 'password' });
/** Contract, Ids. */
export const id = (description: string) => Type.Integer({ description, minimum: 1, maximum: MAX_ID });
/** Any integer, signed too, however long. Where it is an id, `isInt4` tells whether the database could know it. */
export const signedInteger = (description: string) => Type.Integer({ description });

/** Whether an id column can hold it. Longer ones lose digits when read, but never so many that they would fit. */
export const isInt4 = (integer: number): boolean => integer >= -MAX_ID - 1 && integer <= MAX_ID;

export function readFields<Schema extends TObject>(
  schema: Schema,
  sent: Record<string, string> | null | undefined,
  place: RequestPart,
): { value: Static<Schema> } | { error: FieldFaults } {
  const fields: Record<string, string | number> = Object.create(null);
  const faults: FieldFault[] = [];
  for (const [name, fieldSchema] of Object.entries(schema.properties)) {
    const input = sent && Object.hasOwn(sent, name) ? (sent[name] as string) : null;
    const field = readField(
      fieldSchema as TSchema & FieldSchema,
      input,
      schema.required?.includes(name) ?? false,
    );
    if ('fault' in field) faults.push({ ...field.fault, loc: [place, name] });
    else if (field.value !== null) fields[name] = field.value;
  }
  return faults.length > 0 ? { error: new FieldFaults(faults) } : { value: fields as Static<Schema> };
}

type Field = { value: string | number | null } | { fault: Omit<FieldFault, 'loc'> };

function readField(schema: FieldSchema, input: string | null, isRequired: boolean): Field {
  const isMissing =
    input === null || (schema.minLength && input === '') || (schema.blankIsMissing && input.trim() === '');
  if (isMissing) {
    return isRequired ? { fault: { type: 'missing', msg: 'Field required', input: null } } : { value: null };
  }
  const shown = schema.writeOnly ? null : input;
  if (schema.type === 'integer') return readInteger(schema, input);
  if (input.includes('\0')) {
    return { fault: { type: 'nul_character', msg: 'Text must not contain NUL characters', input: shown } };
  }
  return { value: input };
}

/** A sign is taken only where no range says otherwise. */
function readInteger({ minimum, maximum = MAX_ID }: FieldSchema, input: string): Field {
  const digits = minimum === undefined ? /^[+-]?[0-9]+$/ : /^[0-9]+$/;
  if (!digits.test(input)) {
    return { fault: { type: 'integer', msg: 'Must be a whole number in decimal digits', input } };
  }
  const number = Number(input);
  if (minimum !== undefined && (number < minimum || number > maximum)) {
    return { fault: { type: 'range', msg: `Must be from ${minimum} to ${maximum}`, input } };
  }
  // Adding 0 takes the sign off a zero.
  return { value: number + 0 };
}
