// GSM 03.38, the alphabet of an SMS. One character beyond it would halve the room.

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
  '„': '"',
  '«': '"',
  '»': '"',
  µ: 'u',
  μ: 'u',
  '²': '2',
  '³': '3',
  '\t': ' ',
};

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

/** Accents may be left out: a reader of English misses none. */
export const losesLetters = (text: string, { mayLoseAccents }: { mayLoseAccents: boolean }): boolean =>
  [...text.normalize('NFC')].some((character) => {
    if (!/\p{L}/u.test(character) || character in REPLACED) return false;
    const written = toGsm7Character(character);
    return written !== character && (!mayLoseAccents || written === '?');
  });
