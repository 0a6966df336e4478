// Where people choose in which language they, or others, read.
import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';
import {
  allLanguages,
  findLanguage,
  nameOfLanguage,
  readByNatives,
} from '../../platform/languages/languages.ts';

interface LanguageFieldProps {
  id?: string;
  label: string;
  /** The choice of none; null: one has to be chosen. */
  none: string | null;
  chosen: string | null;
  hint?: string;
  error?: string | undefined;
}

/** One choice is no choice. */
export const canChooseLanguage = (): boolean => allLanguages().length > 1;

/** Drawn where there is a choice. */
export const LanguageField = ({ none, ...field }: LanguageFieldProps) => {
  const { tag, say } = useLanguage();
  if (!canChooseLanguage()) return null;
  const named = allLanguages()
    .map((language) => [language.tag, nameOfLanguage(language)] as const)
    .sort(([, one], [, other]) => one.localeCompare(other, tag));
  // Chosen before, and not offered any more: it is not taken away from whoever saves something else.
  const { chosen, error } = field;
  if (chosen !== null && chosen !== '' && error === undefined && !findLanguage(chosen))
    named.push([chosen, chosen]);
  const isRead = ([known]: (typeof named)[number]) => readByNatives.includes(known);
  return (
    <Select
      {...field}
      name="language"
      options={[...(none === null ? [] : [['', none] as const]), ...named.filter(isRead)]}
      more={{
        // For translators: of the languages that follow, such as this one
        label: say('Translated, not yet read by a native speaker'),
        options: named.filter((one) => !isRead(one)),
      }}
    />
  );
};

export const UNKNOWN_LANGUAGE = message('Choose a language from the list.');

/** What its form says; what was chosen before stays, though it may not be offered any more. null: none. */
export function readLanguageField(
  typed: string | undefined,
  before: string | null,
): Result<Language['tag'] | null, 'unknown_language'> {
  if (typed === undefined || typed === before) return ok(before);
  if (typed === '') return ok(null);
  return findLanguage(typed) ? ok(typed) : refuse('unknown_language');
}
