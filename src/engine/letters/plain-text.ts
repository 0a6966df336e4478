import { formatLocalTime } from '../../domain/local-time.ts';
import type { Notice } from '../../domain/notifications/notice.ts';
import { fitLines, shorten } from './fit-text.ts';
import type { Letter } from './letter.ts';
import { factsOf, isDigest, textOf, titleOf } from './notice-words.ts';

/** What a letter says below its title, in lines. */
export function tellPlainly(letter: Letter, most: number): string {
  const { language, notices } = letter;
  const [worst] = notices;
  const writeLine = (notice: Notice): string =>
    shorten(`${titleOf(notice, language)}: ${textOf(notice, language)}`, 300);
  if (isDigest(letter)) return fitLines(notices, writeLine, most, language).join('\n');
  const facts = factsOf(worst, language).map(
    ({ title, value }) => `${title}: ${value instanceof Date ? formatLocalTime(value, 'UTC') : value}`,
  );
  return shorten([textOf(worst, language), ...facts].join('\n'), most);
}
