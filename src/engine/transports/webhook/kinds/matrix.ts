import { message } from '../../../../domain/language/message.ts';
import { shorten } from '../../../letters/fit-text.ts';
import { isDigest, titleOfLetter } from '../../../letters/notice-words.ts';
import { tellPlainly } from '../../../letters/plain-text.ts';
import { bearer, type Kind, writeJsonRequest } from '../../../letters/webhook-kind.ts';

export const matrix: Kind<'matrix'> = {
  name: 'matrix',
  label: message('Matrix'),
  secret: {
    name: message('access token'),
    hint: message('Matrix: the access token of an account that is in the room.'),
  },
  findFault: (address, secret) => {
    if (!/\/(?:!|%21)[^/]+$/i.test(address.pathname))
      return message(
        'The address must end with the id of a room, such as https://matrix.lab.example/!abc:lab.example',
      );
    return secret ? null : message('Matrix needs the access token of an account that is in the room');
  },
  shape: (letter, { url, secret }, { publicUrl }) => {
    const [worst] = letter.notices;
    const address = new URL(url);
    const room = address.pathname.split('/').at(-1) ?? '';
    const folder = address.pathname.slice(0, -room.length);
    const transaction = encodeURIComponent(`tocsin-${letter.id}`);
    // The same letter in another attempt is the same event: the server drops the second one.
    address.pathname = `${folder}_matrix/client/v3/rooms/${room}/send/m.room.message/${transaction}`;
    const title = shorten(titleOfLetter(letter), 500);
    const text = tellPlainly(letter, 4_000);
    const link = isDigest(letter) ? publicUrl : (worst.acknowledgeUrl ?? worst.serviceUrl);
    const label = !isDigest(letter) && worst.acknowledgeUrl ? 'Acknowledge' : 'Open Tocsin';
    const message = {
      msgtype: 'm.text',
      body: `${title}\n${text}\n${label}: ${link}`,
      format: 'org.matrix.custom.html',
      formatted_body: `<strong>${escapeHtml(title)}</strong><br>${escapeHtml(text)}<br><a href="${escapeHtml(link)}">${label}</a>`,
    };
    return [{ ...writeJsonRequest(address, message, bearer(secret)), method: 'PUT' as const }];
  },
  joinsDigests: true,
};

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '<br>',
};

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"\n]/g, (sign) => ENTITIES[sign] ?? '');
