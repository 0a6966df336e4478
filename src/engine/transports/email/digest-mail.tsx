// One mail for a storm: what is wrong, worst first, and where to see all of it.
import type { Notice } from '../../../domain/notifications/notice.ts';
import {
  Badge,
  Button,
  Heading,
  Link,
  Paragraph,
  renderMail,
  Table,
} from '../../../platform/mail/mail-page.tsx';
import type { Letter } from '../../letters/letter.ts';
import { countNotices, listCounts, nameOf, roomsOf } from '../../letters/notice-words.ts';
import { statusOf } from './headline.ts';
import { ReceiptLine, receiptLines } from './receipt-line.tsx';
import { sayMessage, sayTime } from './say-times.ts';

interface DigestMail {
  letter: Letter;
  subject: string;
  timeZone: string;
  /** Where its reader says to have all of it; null: nobody asks for that. */
  receiptUrl: string | null;
  now: Date;
}

/** More would be cut off by some mail programs, and read by nobody. */
const MOST_ROWS = 50;

const rowsOf = ({ letter }: DigestMail): readonly Notice[] => letter.notices.slice(0, MOST_ROWS);

const restOf = ({ letter: { notices, language } }: DigestMail): string | null =>
  notices.length > MOST_ROWS
    ? language.say('{count, plural, one {and # more} other {and # more}}', {
        count: notices.length - MOST_ROWS,
      })
    : null;

function reasonOf({ letter: { notices, language }, timeZone }: DigestMail): string {
  const [{ groupName, organizationName }] = notices;
  return language.say(
    'Much happened at once, so it comes in one mail to the group {groupName} of {organizationName}. Times are in {timeZone}.',
    { groupName, organizationName, timeZone },
  );
}

const placeOf = (notice: Notice): string => nameOf(notice).slice(notice.serviceName.length);

const sinceOf = ({ since }: Notice, { letter: { language }, timeZone, now }: DigestMail): string | null =>
  since && language.say('since {time}', { time: sayTime(since, timeZone, now, language) });

export function writeDigestText(mail: DigestMail): string {
  const { language } = mail.letter;
  const { say } = language;
  const rest = restOf(mail);
  return [
    mail.subject,
    ...roomsOf(mail.letter),
    '',
    ...rowsOf(mail).flatMap((notice) => {
      const since = sinceOf(notice, mail);
      return [
        say('{status}: {unit}', { status: statusOf(notice, language).word, unit: nameOf(notice) }),
        ...(notice.said === '' ? [] : [`  ${sayMessage(notice.said, mail.timeZone, mail.now, language)}`]),
        ...(since === null ? [] : [`  ${since}`]),
        `  ${notice.serviceUrl}`,
      ];
    }),
    ...(rest === null ? [] : [rest]),
    '',
    ...receiptLines(mail.receiptUrl, language),
    say('See all alarms:'),
    mail.letter.notices[0].alarmsUrl,
    '',
    '-- ',
    reasonOf(mail),
    '',
  ].join('\n');
}

export function writeDigestHtml(mail: DigestMail): string {
  const rest = restOf(mail);
  const { language, notices } = mail.letter;
  const { say } = language;
  const [worst] = notices;
  return renderMail({
    language,
    title: mail.subject,
    preview: listCounts(countNotices(mail.letter), language),
    footer: reasonOf(mail),
    children: (
      <>
        <Heading>{mail.subject}</Heading>
        {roomsOf(mail.letter).map((line) => (
          <Paragraph key={line}>
            <strong>{line}</strong>
          </Paragraph>
        ))}
        <Button href={worst.alarmsUrl}>{say('See all alarms')}</Button>
        <ReceiptLine url={mail.receiptUrl} language={language} />
        <Table style={{ width: '100%', margin: '12px 0' }}>
          {rowsOf(mail).map((notice) => (
            <tr key={notice.notificationId}>
              <td
                class="line"
                style={{ padding: '10px 0', borderTop: '1px solid #d3dae1', overflowWrap: 'anywhere' }}
              >
                <Badge tone={statusOf(notice, language).tone}>{statusOf(notice, language).word}</Badge>{' '}
                <strong>
                  <Link href={notice.serviceUrl}>{notice.serviceName}</Link>
                </strong>
                <span class="muted" style={{ color: '#52606d' }}>
                  {placeOf(notice)}
                </span>
                <br />
                <span class="ink" style={{ color: '#18212a' }}>
                  {sayMessage(notice.said, mail.timeZone, mail.now, language)}
                </span>
                {notice.since !== null && (
                  <span class="muted" style={{ color: '#52606d', fontSize: '14px' }}>
                    <br />
                    {sinceOf(notice, mail)}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </Table>
        {rest !== null && (
          <Paragraph>
            <Link href={worst.alarmsUrl}>{rest}</Link>
          </Paragraph>
        )}
      </>
    ),
  });
}
