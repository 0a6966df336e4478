import type { Entries } from './languages.mjs';

export function findMessages(
  file: string,
  text: string,
): { message: string; context: string | undefined; note: string | undefined }[];
export function extract(folder?: string): Entries;
