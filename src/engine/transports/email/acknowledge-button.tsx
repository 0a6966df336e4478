// The link by which the reader of a mail acknowledges without signing in; the one that uses their session stands below it.
import type { Language } from '../../../domain/language/speak.ts';
import { sayWith } from '../../../platform/html/language.tsx';
import { Button, Link, Paragraph } from '../../../platform/mail/mail-page.tsx';

interface Ways {
  personalUrl: string | null;
  /** By the session of whoever opens it; null: there is nothing to acknowledge. */
  acknowledgeUrl: string | null;
}

export const acknowledgeLines = ({ personalUrl, acknowledgeUrl }: Ways, { say }: Language): string[] => [
  ...(personalUrl === null
    ? []
    : // For translators: above a link in a mail that acknowledges an alarm as its reader; whoever gets the link could press it too
      [
        say('Acknowledge without signing in (this link is yours alone, do not pass it on):'),
        personalUrl,
        '',
      ]),
  ...(acknowledgeUrl === null ? [] : [say('Acknowledge:'), acknowledgeUrl, '']),
];

export const AcknowledgeButton = ({
  personalUrl,
  acknowledgeUrl,
  language,
}: Ways & { language: Language }) => {
  // For translators: a button in a mail about an alarm: whoever presses it takes care of the freezer
  const acknowledge = language.say('Acknowledge');
  if (acknowledgeUrl === null) return null;
  if (personalUrl === null) return <Button href={acknowledgeUrl}>{acknowledge}</Button>;
  return (
    <>
      <Button href={personalUrl}>{acknowledge}</Button>
      <Paragraph>
        {sayWith(
          language,
          // For translators: below a button that acknowledges an alarm as the reader of the mail
          'No sign-in needed: this button is yours alone, do not pass this mail on. Where you are signed in, <a>this link</a> acknowledges at once.',
          { a: (inside) => <Link href={acknowledgeUrl}>{inside}</Link> },
        )}
      </Paragraph>
    </>
  );
};
