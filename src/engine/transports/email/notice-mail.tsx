// A mail about one notice: what it is, since when, the curve, and the button to press.
import { message } from '../../../domain/language/message.ts';
import type { Language } from '../../../domain/language/speak.ts';
import type { Notice } from '../../../domain/notifications/notice.ts';
import { SUBJECTS } from '../../../domain/notifications/subject.ts';
import { Badge, Facts, Heading, Link, Paragraph, renderMail } from '../../../platform/mail/mail-page.tsx';
import { factsOf, nameOf } from '../../letters/notice-words.ts';
import { AcknowledgeButton, acknowledgeLines } from './acknowledge-button.tsx';
import { describeCurve } from './describe-curve.ts';
import { PICTURE } from './draw-curve.ts';
import { guidanceLines, WhatToDo } from './guidance-part.tsx';
import { statusOf } from './headline.ts';
import { ReceiptLine, receiptLines } from './receipt-line.tsx';
import { sayMessage, sayTime } from './say-times.ts';

interface NoticeMail {
  notice: Notice;
  language: Language;
  subject: string;
  timeZone: string;
  /** How the HTML names the picture; null: there is none. */
  cid: string | null;
  /** Where its reader says to have it; null: nobody asks for that. */
  receiptUrl: string | null;
  /** Where they acknowledge without signing in; null: nowhere. */
  personalUrl: string | null;
  now: Date;
}

const MARKS = {
  test: message('This is a test message, not an alarm.'),
  drill: message('This is a drill, not a real alarm. Acknowledge it as you would a real one.'),
} as const;

const shownFacts = ({ notice, language, timeZone, now }: NoticeMail): [name: string, value: string][] => {
  // What is over has a time of its own, besides when it began.
  const { happened } = SUBJECTS[notice.subject];
  const facts = [
    ...factsOf(notice, language),
    ...(happened && notice.mark === null ? [{ title: language.say(happened), value: notice.at }] : []),
  ];
  return facts.map(({ title, value }) => [
    title,
    value instanceof Date ? sayTime(value, timeZone, now, language) : value,
  ]);
};

const reasonOf = ({ notice: { groupName, organizationName }, language, timeZone }: NoticeMail): string =>
  language.say(
    'You get this mail as part of the group {groupName} of {organizationName}. Times are in {timeZone}.',
    { groupName, organizationName, timeZone },
  );

const messageOf = ({ notice, language, timeZone, now }: NoticeMail): string =>
  sayMessage(notice.said, timeZone, now, language);

export function writeNoticeText(mail: NoticeMail): string {
  const { notice, language, receiptUrl, personalUrl } = mail;
  const { say } = language;
  const { word } = statusOf(notice, language);
  const message = messageOf(mail);
  const facts = shownFacts(mail);
  const widest = facts.reduce((most, [name]) => Math.max(most, name.length), 0);
  return [
    ...(notice.mark === null ? [] : [say(MARKS[notice.mark]), '']),
    say('{status}: {unit}', { status: word, unit: nameOf(notice) }),
    ...(message === '' ? [] : [message]),
    '',
    ...facts.map(([name, value]) => `${`${name}:`.padEnd(widest + 2)}${value}`),
    ...(notice.curve ? ['', describeCurve(notice.curve, notice, language)] : []),
    '',
    ...(notice.rescue.length > 0 ? [...notice.rescue, ''] : []),
    ...guidanceLines(notice.guidance, language),
    ...acknowledgeLines({ personalUrl, acknowledgeUrl: notice.acknowledgeUrl }, language),
    ...receiptLines(receiptUrl, language),
    say('See the details:'),
    notice.serviceUrl,
    '',
    '-- ',
    reasonOf(mail),
    '',
  ].join('\n');
}

export function writeNoticeHtml(mail: NoticeMail): string {
  const { notice, language, subject, cid, receiptUrl, personalUrl } = mail;
  const { say } = language;
  const { word, tone } = statusOf(notice, language);
  const message = messageOf(mail);
  return renderMail({
    language,
    title: subject,
    preview: message,
    footer: reasonOf(mail),
    children: (
      <>
        {notice.mark !== null && (
          <Paragraph>
            <strong>{say(MARKS[notice.mark])}</strong>
          </Paragraph>
        )}
        <Badge tone={tone}>{word}</Badge>
        <Heading>
          {notice.isOneOfSeveral ? nameOf({ ...notice, locationName: null }) : notice.serviceName}
        </Heading>
        {message !== '' && <Paragraph>{message}</Paragraph>}
        <AcknowledgeButton
          personalUrl={personalUrl}
          acknowledgeUrl={notice.acknowledgeUrl}
          language={language}
        />
        {notice.rescue.length > 0 && (
          <Paragraph>
            <strong>{notice.rescue.join(' ')}</strong>
          </Paragraph>
        )}
        <WhatToDo guidance={notice.guidance} language={language} />
        <ReceiptLine url={receiptUrl} language={language} />
        <Facts facts={shownFacts(mail)} />
        {notice.curve && cid !== null && (
          <img
            src={`cid:${cid}`}
            alt={describeCurve(notice.curve, notice, language)}
            width={PICTURE.width}
            height={PICTURE.height}
            style={{
              display: 'block',
              width: '100%',
              maxWidth: `${PICTURE.width}px`,
              height: 'auto',
              margin: '12px 0',
            }}
          />
        )}
        {notice.curve && cid === null && (
          <Paragraph>{describeCurve(notice.curve, notice, language)}</Paragraph>
        )}
        <Paragraph>
          <Link href={notice.serviceUrl}>{say('See the details')}</Link>
        </Paragraph>
      </>
    ),
  });
}
