// Why no limits could be recommended, as it is stored, and said again to people.
import { ADVICE_TEXTS } from '../../domain/advisor/words.ts';
import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import { sayAgain } from '../../domain/words/written.ts';

export const FAILURES = {
  archived: message('The service is archived.'),
  noChannel: message('The service has no metric channel that limits could be recommended for.'),
  neverCameBack: message('The advisor stopped {count} times without an answer.'),
  brokeOff: message('The analysis broke off.'),
  brokeOffSaying: message('The analysis broke off: {said}'),
  tookLonger: message('The analysis took longer than {seconds} seconds.'),
} as const;

/** Of the language model, the longer ones first. */
export const LLM_FAILURES = {
  // For translators: {failure} is one of the sentences that follow
  askedOften: message('{failure} It was asked {count} times.'),
  asksToWait: message('{failure} It asks to wait {seconds} seconds.'),
  // For translators: {model} is “The language model at” an address
  tooLarge: message('{model} sent more than 1 MB.'),
  noAnswer: message('{model} gave no answer within {seconds} s.'),
  unreachable: message('{model} could not be reached ({said}).'),
  declined: message('{model} declined: {said}'),
  brokenOff: message('{model} broke its answer off.'),
  empty: message('{model} sent an answer without content.'),
  elsewhere: message('{model} sends requests to another address. Set TOCSIN_LLM_URL to that one.'),
  badKey: message('{model} did not accept the key ({status}). Check TOCSIN_LLM_KEY.'),
  tooMany: message('{model} takes no more questions (429).'),
  failed: message('{model} failed ({status}).'),
  answeredSaying: message('{model} answered {status}: {said}'),
  answered: message('{model} answered {status}.'),
  model: message('The language model at {name}'),
  unusable: message("The language model's answer cannot be used: {why}."),
} as const;

/** Goes on from `cannot be used:`. */
export const UNUSABLE = {
  noObject: message('it is not a JSON object'),
  noBands: message('it proposes no bands'),
  badBands: message('its bands are not a list of known bands with finite numbers, each once and in order'),
  noReasons: message('it gives no reasons'),
} as const;

const ALL = [...ADVICE_TEXTS, ...[UNUSABLE, FAILURES, LLM_FAILURES].flatMap((texts) => Object.values(texts))];

export const sayWhyNoAdvice = (reason: string, language: Language): string => sayAgain(reason, ALL, language);
