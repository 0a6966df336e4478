import { message } from '../../../domain/language/message.ts';
import { underAddress } from '../../../platform/outbound/under-address.ts';
import { shorten } from '../../letters/fit-text.ts';
import { writeJsonRequest } from '../../letters/webhook-kind.ts';
import type { PersonKind } from '../record/person-kind.ts';
import { OTHER_ADDRESS, type SetProvider, TOKEN } from '../record/provider.ts';
import { asId, readJson } from '../record/read-answer.ts';
import { hostOf, readAddress, readText } from '../record/read-given.ts';
import { type PushoverSettings, receipts } from './receipts.ts';

const provider: SetProvider<'pushover', PushoverSettings> = {
  name: 'pushover',
  label: message('Pushover'),
  read: (given) => ({
    token: readText(given, 'token'),
    url: readAddress(given, 'https://api.pushover.net'),
  }),
  describe: ({ url }) => hostOf(url),
  form: {
    about: message('Urgent messages on phones, repeated until somebody confirms.'),
    fields: [
      {
        name: 'token',
        label: message('Token of the application'),
        hint: message('Make an application at pushover.net; it shows its token.'),
        secret: TOKEN,
      },
      OTHER_ADDRESS,
    ],
  },
  secretsOf: ({ token }) => [token],
  ask: ({ url, token }) => ({
    name: 'Pushover',
    url: underAddress(url, `/1/apps/limits.json?token=${encodeURIComponent(token)}`),
  }),
  receipts: [receipts],
};

export const pushover: PersonKind<typeof provider> = {
  label: message('Pushover'),
  addressLabel: message('User key'),
  hint: message('The key of 30 characters that Pushover shows when you sign in there.'),
  secretLabel: null,
  provider,
  readAddress: (typed) => (/^[A-Za-z0-9]{30}$/.test(typed.trim()) ? typed.trim() : null),
  isPersonsAddress: false,
  post: ({ title, text, link, urgency }, { address: user }, { url, token }) =>
    writeJsonRequest(underAddress(url, '/1/messages.json'), {
      token,
      user,
      title: shorten(title, 250),
      message: shorten(text, 1024),
      ...(link && { url: link.url, url_title: link.label }),
      ...(urgency === 'critical'
        ? { priority: 2, retry: 60, expire: 3600 }
        : { priority: urgency === 'warning' ? 1 : 0 }),
    }),
  isThanks: (text) => readJson(text).status === 1,
  findId: (text) => asId(readJson(text).receipt) ?? asId(readJson(text).request),
};
