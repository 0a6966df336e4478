import { message } from '../../../domain/language/message.ts';
import type { PersonKind } from '../record/person-kind.ts';
import { readUrl } from '../record/read-typed.ts';
import { atServer, writeGotify } from './write-gotify.ts';

const PRIORITIES = { critical: 10, warning: 8, none: 4 };

export const gotify: PersonKind<null> = {
  label: message('Gotify'),
  addressLabel: message('Address of the server'),
  hint: message('Such as https://gotify.lab.example.'),
  secretLabel: message('Application token'),
  needsSecret: true,
  provider: null,
  readAddress: readUrl,
  isPersonsAddress: true,
  post: ({ title, text, link, urgency }, { address, secret }) =>
    writeGotify(address, secret, {
      title,
      message: text,
      priority: PRIORITIES[urgency],
      click: link?.url ?? null,
    }),
  askServer: (address) => {
    const url = atServer(address, 'health');
    url.search = '';
    return {
      name: 'Gotify',
      url,
      isThanks: (text) => /"healthy"\s*:\s*true|"health"\s*:\s*"green"/.test(text),
    };
  },
};
