import { trimBoth } from '../domain/trim-sign.ts';

// What people download: texts in a CSV file that is opened in a spreadsheet, and the names of files.

/** A spreadsheet would take these for the beginning of a formula; an apostrophe before them makes them text. */
const FORMULA = /^[=+\-@\t\r]/;

/** One cell with a text, in quotes where RFC 4180 wants them. */
export function writeCsvText(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** `readings-freezer-1-7.csv` with the ending `csv`: plain letters only, so that it fits into a header and any file system. */
export function nameDownload(what: string, name: string, id: number, ending: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  const plain = trimBoth(words, '-').slice(0, 60);
  return [what, plain, id]
    .filter((part) => part !== '')
    .join('-')
    .concat(`.${ending}`);
}
