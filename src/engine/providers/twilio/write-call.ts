// What is said in a call, in the words that Twilio is told by.
import type { AnswerNeed } from '../../../domain/accounts/phone-pin.ts';
import { message } from '../../../domain/language/message.ts';
import type { Language } from '../../../domain/language/speak.ts';

// For translators: all of these are said by a voice in a call
const KEYS = {
  none: message('Press 1 to acknowledge, 2 to pass it on, 9 to hear it again.'),
  asked: message('Press 1 to acknowledge by your PIN, 2 to pass it on, 9 to hear it again.'),
  missing: message(
    'A PIN is asked for, and you have none: set one on your profile, or acknowledge in Tocsin. Press 2 to pass it on, 9 to hear it again.',
  ),
  not_allowed: message('Press 2 to pass it on, 9 to hear it again.'),
  nothing: message('Press 9 to hear it again.'),
} as const satisfies Record<AnswerNeed, string>;

/** `action`: where the key goes; null: there is nothing to press. */
export function writeCall(
  text: string,
  action: string | null,
  answer: AnswerNeed,
  language: Language,
): string {
  const said = speakOut(text, language);
  const keys = speakOut(language.say(KEYS[answer]), language);
  return action === null
    ? `<Response>${said}${said}</Response>`
    : `<Response><Gather numDigits="1" timeout="10" action="${escapeXml(action)}">${said}${keys}${said}${keys}</Gather></Response>`;
}

/** `action`: where the digits go, without the key that ends them. */
export function writePinQuestion(text: string, action: string, language: Language): string {
  // For translators: said by a voice in a call
  const nothing = language.say('No PIN was typed. Nothing is acknowledged.');
  return `<Response><Gather finishOnKey="#" timeout="15" action="${escapeXml(action)}">${speakOut(text, language)}</Gather>${speakOut(nothing, language)}</Response>`;
}

export const writeLastWords = (text: string, language: Language): string =>
  `<Response>${speakOut(text, language)}</Response>`;

/** What its voices speak beside English. */
const VOICES =
  'ca-ES da-DK de-DE es-ES es-MX fi-FI fr-CA fr-FR it-IT ja-JP ko-KR nb-NO nl-NL pl-PL pt-BR pt-PT ru-RU sv-SE zh-CN zh-HK zh-TW'.split(
    ' ',
  );

/** null: none speaks it. English needs none: it is what is spoken unless told. */
export function findVoice({ tag }: Language): string | null {
  const { language, region } = new Intl.Locale(tag).maximize();
  const own = VOICES.find((voice) => voice === `${language}-${region}`);
  return own ?? VOICES.find((voice) => voice.startsWith(`${language}-`)) ?? null;
}

function speakOut(text: string, language: Language): string {
  const voice = findVoice(language);
  return `<Say${voice === null ? '' : ` language="${voice}"`}>${escapeXml(text)}</Say>`;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

export const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '').replaceAll(/[^\P{C}\n]/gu, ' ');
