import { hasDecimalComma, type Language } from '../../domain/language/speak.ts';

/** What is not a number would be saved as none, and nobody would notice: browsers say so before it is sent. */
export const numberInput = (language: Language, value: string) =>
  hasDecimalComma(language)
    ? {
        value: withComma(value),
        // `1.500` is no program's writing here: it may mean fifteen hundred.
        pattern: String.raw`(?!\s*[+\-−]?[0-9]{1,3}\.[0-9]{3}\s*$)${patternOf('[.,]')}`,
        title: language.say('A number, such as {example}', { example: language.number(7.5) }),
      }
    : {
        value,
        pattern: patternOf(String.raw`\.`),
        title: language.say('A number. Decimals are written with a point, such as 7.5'),
      };

const patternOf = (sign: string): string =>
  String.raw`\s*[+\-−]?([0-9]+${sign}?[0-9]*|${sign}[0-9]+)([eE][+\-]?[0-9]+)?\s*`;

const withComma = (value: string): string => value.replace(/^(\s*[+-]?\d*)\.(?=\d+\s*$)/, '$1,');
