import type { Sayable } from '../../domain/language/sayable.ts';
import { ok } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { changeLanguage, selectLanguage } from '../../engine/organizations/language.ts';
import { readLanguageField, UNKNOWN_LANGUAGE } from '../../engine/pages/language-field.tsx';
import type { SettingsVerb } from '../../engine/pages/settings-routes.ts';

type LanguageRefusal = 'unknown_language';

export const LANGUAGE_REFUSALS: Record<LanguageRefusal, [field: string, text: Sayable]> = {
  unknown_language: ['language', UNKNOWN_LANGUAGE],
};

export const setLanguage: SettingsVerb<LanguageRefusal> = async (
  tx,
  requester,
  { organizationId, form },
  now,
) => {
  const language = readLanguageField(form.language, await selectLanguage(tx, organizationId));
  if (!language.ok) return language;
  const changed = await changeLanguage(tx, organizationId, language.value);
  if (!changed) return ok({});
  const detail = { language: changed };
  await writeAudit(tx, requester, { action: 'organization.language', organizationId, detail }, now);
  return ok({});
};
