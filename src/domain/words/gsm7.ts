// What fits into one SMS: 160 characters of GSM 03.38. One character beyond it would halve the room.

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** These take the room of two. */
const EXTENDED = new Set('^{}\\[~]|€');

const REPLACED: Record<string, string> = {
  '°': '',
  '−': '-',
  '–': '-',
  '—': '-',
  '…': '...',
  '’': "'",
  '“': '"',
  '”': '"',
  µ: 'u',
  μ: 'u',
  '²': '2',
  '³': '3',
  '\t': ' ',
};

export const MOST_SEPTETS = 160;

export const toGsm7 = (text: string): string =>
  [...text.replaceAll('\u00a0', ' ')].map(toGsm7Character).join('');

function toGsm7Character(character: string): string {
  if (BASIC.has(character) || EXTENDED.has(character)) return character;
  const replaced = REPLACED[character];
  if (replaced !== undefined) return replaced;
  const [plain = ''] = character.normalize('NFKD');
  return BASIC.has(plain) ? plain : '?';
}

export const countSeptets = (text: string): number =>
  [...text].reduce((sum, character) => sum + (EXTENDED.has(character) ? 2 : 1), 0);

/** The end is kept whole: a link or a code that is cut is of no use. */
export function fitSms(text: string, end: string): string {
  const tail = toGsm7(end === '' ? '' : ` ${end}`);
  const room = MOST_SEPTETS - countSeptets(tail);
  const whole = toGsm7(text);
  if (countSeptets(whole) <= room) return whole + tail;
  let kept = '';
  for (const character of whole) {
    if (countSeptets(`${kept}${character}...`) > room) break;
    kept += character;
  }
  return `${kept.trimEnd()}...${tail}`;
}
