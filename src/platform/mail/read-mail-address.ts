import type { MailAddress } from './mail.ts';

const LONGEST = 500;

/** `Tocsin <tocsin@lab.example>` or the address alone; null for anything else. */
export function readMailAddress(text: string): MailAddress | null {
  const form = text.trim();
  if (form.length > LONGEST) return null;
  const open = form.indexOf('<');
  const isBare = open < 0;
  const address = isBare ? form : form.slice(open + 1, -1);
  const name = isBare ? '' : form.slice(0, open);
  if (!isBare && !form.endsWith('>')) return null;
  if (!/^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(address) || /[>\r\n]/.test(name)) return null;
  return { name: unquote(name.trim()) || null, address };
}

const unquote = (name: string): string =>
  name.length > 1 && name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name;
