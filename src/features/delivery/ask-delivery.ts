// What a keeper is asked before a setting of delivery, or another keeper, is removed.
import { message } from '../../domain/language/message.ts';
import { sayOne } from '../../domain/language/sayable.ts';
import type { Language } from '../../domain/language/speak.ts';
import type { SettingName } from '../../engine/delivery-settings/stored.ts';
import type { ActQuestion } from '../../engine/pages/ask.tsx';
import { SET_PROVIDERS } from '../../engine/providers/providers.ts';
import type { SettingModel } from './page-model.ts';

const TITLES: Partial<Record<SettingName, string>> = {
  public_url: message('Public address'),
  mail_server: message('Mail server'),
  mail_from: message('Sender'),
  sms: message('SMS and calls'),
};

const nameSetting = (name: SettingName, language: Language): string => {
  const provider = SET_PROVIDERS.find((one) => one.name === name);
  return sayOne(TITLES[name] ?? provider?.label ?? name, language);
};

/** null: it is not set on the page. */
export const askRemove = (
  name: SettingName,
  { state, inForce }: SettingModel,
  language: Language,
): ActQuestion | null =>
  state.kind === 'page' || state.kind === 'unread'
    ? {
        act: language.say('Remove: {title}', { title: nameSetting(name, language) }),
        says: [
          language.say('It is not used any more, in any program and for any organization.'),
          ...(inForce === null ? [] : [inForce]),
        ],
        canUndo: false,
      }
    : null;

export const askKeeper = (name: string, { say }: Language): ActQuestion => ({
  act: say('Remove {name} as keeper', { name }),
  says: [say('{name} can no longer open this page.', { name })],
  canUndo: true,
});
