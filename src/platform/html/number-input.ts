import type { Language } from '../../domain/language/speak.ts';

/** What is not a number would be saved as none, and nobody would notice: browsers say so before it is sent. */
export const numberInput = ({ say }: Language) => ({
  pattern: String.raw`\s*[+\-−]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+\-]?[0-9]+)?\s*`,
  title: say('A number. Decimals are written with a point, such as 7.5'),
});
