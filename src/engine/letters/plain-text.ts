import { formatLocalTime } from '../../domain/local-time.ts';
import type { Notice } from '../../domain/notifications/notice.ts';
import { fitLines, shorten } from './fit-text.ts';
import type { Letter } from './letter.ts';
import { factsOf, isDigest, textOf, titleOf } from './notice-words.ts';

/** What a letter says below its title, in lines. */
export function tellPlainly(letter: Letter, most: number): string {
  const [worst] = letter.notices;
  if (isDigest(letter)) return fitLines(letter.notices, writeLine, most).join('\n');
  const facts = factsOf(worst).map(
    ({ title, value }) => `${title}: ${value instanceof Date ? formatLocalTime(value, 'UTC') : value}`,
  );
  return shorten([textOf(worst), ...facts].join('\n'), most);
}

const writeLine = (notice: Notice): string => shorten(`${titleOf(notice)}: ${textOf(notice)}`, 300);
