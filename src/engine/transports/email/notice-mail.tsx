// A mail about one notice: what it is, since when, the curve, and the button to press.
import type { Notice } from '../../../domain/notifications/notice.ts';
import { SUBJECTS } from '../../../domain/notifications/subject.ts';
import {
  Badge,
  Button,
  Facts,
  Heading,
  Link,
  Paragraph,
  renderMail,
} from '../../../platform/mail/mail-page.tsx';
import { factsOf, nameOf } from '../../letters/notice-words.ts';
import { describeCurve } from './describe-curve.ts';
import { PICTURE } from './draw-curve.ts';
import { statusOf } from './headline.ts';
import { ReceiptLine, receiptLines } from './receipt-line.tsx';
import { sayMessage, sayTime } from './say-times.ts';

interface NoticeMail {
  notice: Notice;
  subject: string;
  timeZone: string;
  /** How the HTML names the picture; null: there is none. */
  cid: string | null;
  /** Where its reader says to have it; null: nobody asks for that. */
  receiptUrl: string | null;
  now: Date;
}

const MARKS = {
  test: 'This is a test message, not an alarm.',
  drill: 'This is a drill, not a real alarm. Acknowledge it as you would a real one.',
};

const shownFacts = ({ notice, timeZone, now }: NoticeMail): [name: string, value: string][] => {
  // What is over has a time of its own, besides when it began.
  const { happened } = SUBJECTS[notice.subject];
  const facts = [
    ...factsOf(notice),
    ...(happened && notice.mark === null ? [{ title: happened, value: notice.at }] : []),
  ];
  return facts.map(({ title, value }) => [
    title,
    value instanceof Date ? sayTime(value, timeZone, now) : value,
  ]);
};

const reasonOf = ({ notice, timeZone }: NoticeMail): string =>
  `You get this mail as part of the group ${notice.groupName} of ${notice.organizationName}. Times are in ${timeZone}.`;

const messageOf = ({ notice, timeZone, now }: NoticeMail): string => sayMessage(notice.said, timeZone, now);

export function writeNoticeText(mail: NoticeMail): string {
  const { notice, receiptUrl } = mail;
  const { word } = statusOf(notice);
  const message = messageOf(mail);
  const facts = shownFacts(mail);
  const widest = facts.reduce((most, [name]) => Math.max(most, name.length), 0);
  return [
    ...(notice.mark === null ? [] : [MARKS[notice.mark], '']),
    `${word}: ${nameOf(notice)}`,
    ...(message === '' ? [] : [message]),
    '',
    ...facts.map(([name, value]) => `${`${name}:`.padEnd(widest + 2)}${value}`),
    ...(notice.curve ? ['', describeCurve(notice.curve, notice)] : []),
    '',
    ...(notice.acknowledgeUrl === null ? [] : ['Acknowledge:', notice.acknowledgeUrl, '']),
    ...receiptLines(receiptUrl),
    'See the details:',
    notice.serviceUrl,
    '',
    '-- ',
    reasonOf(mail),
    '',
  ].join('\n');
}

export function writeNoticeHtml(mail: NoticeMail): string {
  const { notice, subject, cid, receiptUrl } = mail;
  const { word, tone } = statusOf(notice);
  const message = messageOf(mail);
  return renderMail({
    title: subject,
    preview: message,
    footer: reasonOf(mail),
    children: (
      <>
        {notice.mark !== null && (
          <Paragraph>
            <strong>{MARKS[notice.mark]}</strong>
          </Paragraph>
        )}
        <Badge tone={tone}>{word}</Badge>
        <Heading>
          {notice.isOneOfSeveral ? nameOf({ ...notice, locationName: null }) : notice.serviceName}
        </Heading>
        {message !== '' && <Paragraph>{message}</Paragraph>}
        {notice.acknowledgeUrl !== null && <Button href={notice.acknowledgeUrl}>Acknowledge</Button>}
        <ReceiptLine url={receiptUrl} />
        <Facts facts={shownFacts(mail)} />
        {notice.curve && cid !== null && (
          <img
            src={`cid:${cid}`}
            alt={describeCurve(notice.curve, notice)}
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
        {notice.curve && cid === null && <Paragraph>{describeCurve(notice.curve, notice)}</Paragraph>}
        <Paragraph>
          <Link href={notice.serviceUrl}>See the details</Link>
        </Paragraph>
      </>
    ),
  });
}
