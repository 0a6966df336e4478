// What is said in a call, in the words that Twilio is told by.
import type { AnswerNeed } from '../../../domain/accounts/phone-pin.ts';

const KEYS: Record<AnswerNeed, string> = {
  none: 'Press 1 to acknowledge, 2 to pass it on, 9 to hear it again.',
  asked: 'Press 1 to acknowledge by your PIN, 2 to pass it on, 9 to hear it again.',
  missing:
    'A PIN is asked for, and you have none: set one on your profile, or acknowledge in Tocsin. Press 2 to pass it on, 9 to hear it again.',
  not_allowed: 'Press 2 to pass it on, 9 to hear it again.',
  nothing: 'Press 9 to hear it again.',
};

/** `action`: where the key goes; null: there is nothing to press. */
export function writeCall(text: string, action: string | null, answer: AnswerNeed = 'none'): string {
  const said = say(text);
  const keys = say(KEYS[answer]);
  return action === null
    ? `<Response>${said}${said}</Response>`
    : `<Response><Gather numDigits="1" timeout="10" action="${escapeXml(action)}">${said}${keys}${said}${keys}</Gather></Response>`;
}

/** `action`: where the digits go, without the key that ends them. */
export const writePinQuestion = (text: string, action: string): string =>
  `<Response><Gather finishOnKey="#" timeout="15" action="${escapeXml(action)}">${say(text)}</Gather>${say('No PIN was typed. Nothing is acknowledged.')}</Response>`;

export const writeLastWords = (text: string): string => `<Response>${say(text)}</Response>`;

const say = (text: string): string => `<Say>${escapeXml(text)}</Say>`;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

export const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '').replaceAll(/[^\P{C}\n]/gu, ' ');
