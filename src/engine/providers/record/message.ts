// What is said to a person, before it takes the shape of a kind.

import { createHash } from 'node:crypto';
import { type AnswerNeed, canAnswer, type PinNeed } from '../../../domain/accounts/phone-pin.ts';
import { writeLine } from '../../../domain/guidance/markdown.ts';
import type { Language } from '../../../domain/language/speak.ts';
import type { Notice } from '../../../domain/notifications/notice.ts';
import { canBeAcknowledged, SUBJECTS } from '../../../domain/notifications/subject.ts';
import { sayInBrief, sayRest } from '../../../domain/words/alarm-facts.ts';
import { fitSms } from '../../../domain/words/fit-sms.ts';
import { fitLines } from '../../letters/fit-text.ts';
import type { Letter } from '../../letters/letter.ts';
import { incidentOf, isDigest, nameOf, textOf, titleOfLetter, wordOf } from '../../letters/notice-words.ts';

export interface Message {
  /** The same in every attempt. */
  id: string;
  /** In which it is said. */
  language: Language;
  title: string;
  text: string;
  /** As much as fits into an SMS. */
  sms: string;
  /** In a call. */
  spoken: string;
  link: { label: string; url: string } | null;
  urgency: 'critical' | 'warning' | 'none';
  /** The first word on a critical alarm: it goes, however many went before. */
  isFirstCritical: boolean;
  /** The same for all that is said of one alarm: the newer takes the place of the older. */
  topic: string;
  /** By phone, by a button or by a reply. */
  answer: AnswerNeed;
}

/** `code`: by which an SMS is answered; null: it cannot be. */
interface Answering {
  code: string | null;
  pin: PinNeed;
  mayAcknowledge: boolean;
  now: Date;
}

/** On a lock screen, below what is wrong. */
const LONGEST_WHAT_TO_DO = 160;

export function sayLetter(letter: Letter, publicUrl: string, answering: Answering): Message {
  const { code, pin, now } = answering;
  const { language } = letter;
  const { say } = language;
  const [worst] = letter.notices;
  const isOne = !isDigest(letter);
  const title = titleOfLetter(letter);
  const url = isOne ? (letter.personalUrl ?? worst.acknowledgeUrl ?? worst.serviceUrl) : publicUrl;
  const answer = findAnswer(letter, answering);
  const text = isOne
    ? textOf(worst, language, sayWithFacts(worst, now, language))
    : fitLines(letter.notices, (one) => sayLine(one, language, one.said), 900, language).join('\n');
  const toDo = isOne ? (worst.guidance?.whatToDo ?? null) : null;
  const whatToDo =
    toDo === null ? null : say('What to do: {text}', { text: writeLine(toDo, LONGEST_WHAT_TO_DO) });
  const writeFor = (unit: string) => (said: string) => {
    const line = sayLine(worst, language, said, unit);
    const marked = worst.mark === 'drill' ? say('DRILL {alarm}', { alarm: line }) : line;
    return isOne ? marked : `${title}: ${marked}`;
  };
  return {
    id: letter.id,
    language,
    title,
    text: whatToDo === null ? text : `${text}\n${whatToDo}`,
    sms: fitSms(
      sayBriefly(worst, now, language),
      canAnswer(answer) && code !== null ? `${REPLIES[pin](code, language)} ${url}` : url,
      language,
      writeFor(nameOf(worst)),
      writeFor(worst.serviceName),
    ),
    spoken: `${title}. ${text}`,
    link: { label: say(isOne && worst.acknowledgeUrl ? 'Acknowledge' : 'Open Tocsin'), url },
    urgency: worst.mark === 'test' ? 'none' : SUBJECTS[worst.subject].urgency,
    isFirstCritical: worst.subject === 'critical' && !worst.isRepeat,
    topic: hashTopic(isOne ? incidentOf(worst) : `group ${worst.groupName}`),
    answer,
  };
}

/** Nobody is asked for an answer that would be refused. */
function findAnswer({ notices }: Letter, { pin, mayAcknowledge }: Answering): AnswerNeed {
  const hasAlarm = notices.some(({ mark, subject }) => mark === null && canBeAcknowledged(subject));
  if (!hasAlarm) return 'nothing';
  return mayAcknowledge ? pin : 'not_allowed';
}

const REPLIES: Record<PinNeed, (code: string, language: Language) => string> = {
  none: (code, { say }) =>
    // For translators: at the end of an SMS; {code} are four digits, {no} is a word that people type
    say('Reply {code} to acknowledge or {code} {no}.', { code, no: 'NO' }),
  asked: (code, { say }) =>
    // For translators: at the end of an SMS; {code} are four digits, {no} is a word that people type
    say('Reply {code} and your PIN to acknowledge or {code} {no}.', { code, no: 'NO' }),
  missing: (_, { say }) => say('Replies need a PIN: set one on your profile.'),
};

/** `−61.2 °C, rising (limit −65)` */
const sayBriefly = (notice: Notice, now: Date, language: Language): string => {
  const { facts } = notice;
  const brief = facts && sayInBrief(facts, language);
  return facts && brief
    ? `${brief}${sayRest(facts, now, language, { withTrend: false })}`
    : sayWithFacts(notice, now, language);
};

/** What a mail says in lines of its own. */
const sayWithFacts = ({ said, facts }: Notice, now: Date, language: Language): string =>
  facts?.newest ? `${said}${sayRest(facts, now, language)}` : said;

/** `CRITICAL Freezer 3 (Room 101): −61.2 °C (limit −65)` */
const sayLine = (notice: Notice, language: Language, said: string, unit = nameOf(notice)): string => {
  const facts = { status: wordOf(notice, language), unit, said };
  // For translators: {status} is a word such as CRITICAL, {unit} the name of a freezer, {said} what is wrong with it
  return language.say('{status} {unit}: {said}', facts);
};

const hashTopic = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 32);

export function sayCode(id: string, code: string, name: string, language: Language): Message {
  const { say } = language;
  const text = say(
    '{code} is the code of {name} for Tocsin. It is good for 15 minutes. If you did not ask for it, ignore it.',
    { code, name },
  );
  return {
    id,
    language,
    title: say('Your code for Tocsin'),
    text,
    sms: fitSms('', '', language, () => text),
    // In one piece it would be read as a number: forty-seven thousand …
    // For translators: said in a call; {digits} are read one by one
    spoken: say(
      'Your code for Tocsin, {name}, is: {digits}. It is good for 15 minutes. If you did not ask for it, ignore it.',
      { name, digits: [...code].join(', ') },
    ),
    link: null,
    urgency: 'none',
    isFirstCritical: true,
    topic: hashTopic(id),
    answer: 'nothing',
  };
}
