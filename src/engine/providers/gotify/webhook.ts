import { message } from '../../../domain/language/message.ts';
import type { Subject } from '../../../domain/notifications/subject.ts';
import { shorten } from '../../letters/fit-text.ts';
import { isDigest, titleOfLetter } from '../../letters/notice-words.ts';
import { tellPlainly } from '../../letters/plain-text.ts';
import type { Kind } from '../../letters/webhook-kind.ts';
import { writeGotify } from './write-gotify.ts';

const PRIORITIES: Record<Subject, number> = {
  critical: 10,
  warning: 8,
  stale: 8,
  acknowledgement: 4,
  arrival: 4,
  recovery: 4,
  back: 4,
};

export const gotify: Kind<'gotify'> = {
  name: 'gotify',
  label: 'Gotify',
  secret: { name: message('application token'), hint: message('Gotify: the token of an application.') },
  findFault: (_, secret) => (secret ? null : message('Gotify needs the token of an application')),
  shape: (letter, { url, secret }, { publicUrl }) => {
    const [worst] = letter.notices;
    const message = {
      title: shorten(titleOfLetter(letter), 500),
      message: tellPlainly(letter, 4_000),
      priority: worst.mark === 'test' ? 4 : PRIORITIES[worst.subject],
      click: isDigest(letter) ? publicUrl : (worst.acknowledgeUrl ?? worst.serviceUrl),
    };
    return [writeGotify(url, secret, message)];
  },
  joinsDigests: true,
};
