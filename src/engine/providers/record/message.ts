// What is said to a person, before it takes the shape of a kind.

import { createHash } from 'node:crypto';
import { type AnswerNeed, canAnswer, type PinNeed } from '../../../domain/accounts/phone-pin.ts';
import { english } from '../../../domain/language/english.ts';
import type { Notice } from '../../../domain/notifications/notice.ts';
import { canBeAcknowledged, SUBJECTS } from '../../../domain/notifications/subject.ts';
import { sayInBrief, sayRest } from '../../../domain/words/alarm-facts.ts';
import { fitSms } from '../../../domain/words/gsm7.ts';
import { fitLines } from '../../letters/fit-text.ts';
import type { Letter } from '../../letters/letter.ts';
import { incidentOf, isDigest, nameOf, textOf, titleOfLetter, wordOf } from '../../letters/notice-words.ts';

export interface Message {
  /** The same in every attempt. */
  id: string;
  title: string;
  text: string;
  /** In 160 characters of an SMS. */
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

export function sayLetter(letter: Letter, publicUrl: string, answering: Answering): Message {
  const { code, pin, now } = answering;
  const [worst] = letter.notices;
  const isOne = !isDigest(letter);
  const title = titleOfLetter(letter);
  const url = isOne ? (worst.acknowledgeUrl ?? worst.serviceUrl) : publicUrl;
  const answer = findAnswer(letter, answering);
  const text = isOne
    ? textOf(worst, english, sayWithFacts(worst, now))
    : fitLines(letter.notices, sayLine, 900).join('\n');
  return {
    id: letter.id,
    title,
    text,
    sms: fitSms(
      isOne ? sayShortly(worst, now) : `${title}: ${sayShortly(worst, now)}`,
      canAnswer(answer) && code !== null ? `${REPLIES[pin](code)} ${url}` : url,
    ),
    spoken: `${title}. ${text}`,
    link: { label: isOne && worst.acknowledgeUrl ? 'Acknowledge' : 'Open Tocsin', url },
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

const REPLIES: Record<PinNeed, (code: string) => string> = {
  none: (code) => `Reply ${code} to acknowledge or ${code} NO.`,
  asked: (code) => `Reply ${code} and your PIN to acknowledge or ${code} NO.`,
  missing: () => 'Replies need a PIN: set one on your profile.',
};

/** `CRITICAL Freezer 3 (Room 101): -61.2 C (limit -65)` */
const sayShortly = (notice: Notice, now: Date): string => {
  const { facts, mark } = notice;
  const brief = facts && sayInBrief(facts, english);
  const said =
    facts && brief
      ? `${brief}${sayRest(facts, now, english, { withTrend: false })}`
      : sayWithFacts(notice, now);
  return `${mark === 'drill' ? 'DRILL ' : ''}${wordOf(notice)} ${nameOf(notice)}: ${said}`;
};

/** What a mail says in lines of its own. */
const sayWithFacts = ({ said, facts }: Notice, now: Date): string =>
  facts?.newest ? `${said}${sayRest(facts, now, english)}` : said;

const sayLine = (notice: Notice): string => `${wordOf(notice)} ${nameOf(notice)}: ${notice.said}`;

const hashTopic = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 32);

export const sayCode = (id: string, code: string, name: string): Message => {
  const rest = `It is good for 15 minutes. If you did not ask for it, ignore it.`;
  const text = `${code} is the code of ${name} for Tocsin. ${rest}`;
  return {
    id,
    title: 'Your code for Tocsin',
    text,
    sms: fitSms(text, ''),
    // In one piece it would be read as a number: forty-seven thousand …
    spoken: `Your code for Tocsin, ${name}, is: ${[...code].join(', ')}. ${rest}`,
    link: null,
    urgency: 'none',
    isFirstCritical: true,
    topic: hashTopic(id),
    answer: 'nothing',
  };
};
