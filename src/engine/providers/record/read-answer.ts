import { parseJson } from '../../../domain/json/parse-json.ts';

export function readJson(text: string): Record<string, unknown> {
  const read = parseJson(text);
  return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
}

export const asId = (value: unknown): string | null =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'
    ? String(value).slice(0, 200)
    : null;
