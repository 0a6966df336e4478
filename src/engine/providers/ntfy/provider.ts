import { message } from '../../../domain/language/message.ts';
import { countJsonBytes, shorten } from '../../letters/fit-text.ts';
import type { PersonKind } from '../record/person-kind.ts';
import { readUrl } from '../record/read-typed.ts';
import { viewAction, writeNtfy } from './write-ntfy.ts';

export const ntfy: PersonKind<null> = {
  label: message('ntfy'),
  addressLabel: message('Address of the topic'),
  hint: message('Such as https://ntfy.sh/a-name-that-nobody-guesses. Whoever knows it can read along.'),
  secretLabel: message('Access token, if the topic needs one'),
  provider: null,
  readAddress: (typed) => {
    const url = readUrl(typed);
    return url !== null && /\/[-_A-Za-z0-9]{1,64}$/.test(new URL(url).pathname) ? url : null;
  },
  isPersonsAddress: true,
  post: ({ title, text, link, urgency }, { address, secret }) => {
    const note = {
      title,
      priority: { critical: 5, warning: 4, none: 3 }[urgency],
      ...(link && { click: link.url, actions: [viewAction(link.label, link.url)] }),
    };
    return writeNtfy(address, secret, note, () => shorten(text, 3000, countJsonBytes));
  },
  askServer: (address) => ({
    name: 'ntfy',
    url: new URL('v1/health', address.replace(/\/$/, '')),
    isThanks: (text) => /"healthy"\s*:\s*true|"health"\s*:\s*"green"/.test(text),
  }),
};
