import { message } from '../../domain/language/message.ts';
import { type Result, refuse } from '../../domain/result.ts';
import type { FormFields } from '../../platform/http/form-body.ts';

export interface FormFault {
  field: string;
  text: string;
}

export type Read<Value> = Result<Value, FormFault>;

export const fault = (name: string, text: string) => refuse({ field: name, text });
export const field = (form: FormFields, name: string): string => (form[name] ?? '').trim();

export const TYPE_AGAIN = message('Type it again: a secret goes nowhere but where it was given for.');
export const EXAMPLE_BODY = '{"to": "{to}", "text": "{text}"}';
export const LONGEST = 2_000;
