import { hasDecimalComma, type Language } from '../../domain/language/speak.ts';

/** What is not a number would be saved as none, and nobody would notice: browsers say so before it is sent. */
export const numberInput = (language: Language) => {
  const sign = hasDecimalComma(language) ? '[.,]' : String.raw`\.`;
  return {
    pattern: String.raw`\s*[+\-−]?([0-9]+${sign}?[0-9]*|${sign}[0-9]+)([eE][+\-]?[0-9]+)?\s*`,
    title: hasDecimalComma(language)
      ? language.say('A number, such as {example}', { example: language.number(7.5) })
      : language.say('A number. Decimals are written with a point, such as 7.5'),
  };
};
