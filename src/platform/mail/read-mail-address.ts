import type { MailAddress } from './mail.ts';

/** `Tocsin <tocsin@lab.example>` or the address alone; null for anything else. */
export function readMailAddress(text: string): MailAddress | null {
  const { name = '', bracketed, bare } = FORM.exec(text)?.groups ?? {};
  const address = bracketed ?? bare;
  if (address === undefined) return null;
  return { name: name.trim().replace(/^"(.*)"$/, '$1') || null, address };
}

const ADDRESS = '[^\\s@<>,;"]+@[^\\s@<>,;"]+';
const FORM = new RegExp(`^\\s*(?:(?<name>[^<>\\r\\n]*)<(?<bracketed>${ADDRESS})>|(?<bare>${ADDRESS}))\\s*$`);
