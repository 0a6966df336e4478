import { message } from '../../../domain/language/message.ts';
import type { PersonKind } from '../record/person-kind.ts';
import type { Provider } from '../record/provider.ts';
import { type PushSettings, writePush } from './write-push.ts';

const provider: Provider<'push', PushSettings> = {
  name: 'push',
  label: message('Push'),
  // Push services are shown a signature only, never the key.
  secretsOf: () => [],
};

export const push: PersonKind<typeof provider> = {
  label: message('Push'),
  addressLabel: message('Browser'),
  hint: '',
  secretLabel: null,
  isOfBrowser: true,
  provider,
  readAddress: () => null,
  showAddress: (address) => `A browser, by ${new URL(address).host}`,
  isPersonsAddress: true,
  post: (message, { address, secret }, settings, _hooks, now) =>
    writePush(message, address, secret, settings, now),
  // The browser was removed, or its owner took the permission back.
  isGone: ({ status }) => status === 404 || status === 410,
};
