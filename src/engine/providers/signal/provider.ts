import { message } from '../../../domain/language/message.ts';
import { underAddress } from '../../../platform/outbound/under-address.ts';
import { writeJsonRequest } from '../../letters/webhook-kind.ts';
import type { PersonKind } from '../record/person-kind.ts';
import type { SetProvider } from '../record/provider.ts';
import { hostOf, readAddress, readText } from '../record/read-given.ts';
import { readNumber } from '../record/read-typed.ts';

interface SignalSettings {
  url: string;
  number: string;
}

const provider: SetProvider<'signal', SignalSettings> = {
  name: 'signal',
  label: message('Signal'),
  read: (given) => ({ number: readText(given, 'number'), url: readAddress(given) }),
  describe: ({ url }) => hostOf(url),
  form: {
    about: message('By a signal-cli-rest-api of your own.'),
    fields: [
      {
        name: 'number',
        label: message('Number it sends from'),
        hint: message('Registered with your signal-cli-rest-api, such as +49 151 23456789.'),
        isRequired: true,
      },
      {
        name: 'url',
        label: message('Address of signal-cli-rest-api'),
        hint: message('Such as http://localhost:8081. It runs beside Tocsin.'),
        isUrl: true,
        isRequired: true,
      },
    ],
  },
  secretsOf: () => [],
  ask: ({ url }) => ({ name: 'Signal', url: underAddress(url, '/v1/about') }),
};

export const signal: PersonKind<typeof provider> = {
  label: message('Signal'),
  addressLabel: message('Number'),
  hint: message('The number you use Signal with, such as +49 151 23456789.'),
  secretLabel: null,
  provider,
  readAddress: readNumber,
  isPersonsAddress: false,
  post: ({ title, text, link }, { address }, { url, number }) => {
    const message = [title, text, ...(link ? [`${link.label}: ${link.url}`] : [])].join('\n');
    return writeJsonRequest(underAddress(url, '/v2/send'), { number, recipients: [address], message });
  },
};
