// The link by which the reader of a mail says to have it, beside the one that acknowledges.
import type { Language } from '../../../domain/language/speak.ts';
import { sayWith } from '../../../platform/html/language.tsx';
import { Link, Paragraph } from '../../../platform/mail/mail-page.tsx';

export const receiptLines = (url: string | null, { say }: Language): string[] =>
  url === null
    ? []
    : [say('I have it (acknowledges nothing, says only that this mail has reached you):'), url, ''];

export const ReceiptLine = ({ url, language }: { url: string | null; language: Language }) =>
  url === null ? null : (
    <Paragraph>
      {sayWith(
        language,
        '<a>I have it</a> (acknowledges nothing, says only that this mail has reached you)',
        {
          a: (inside) => <Link href={url}>{inside}</Link>,
        },
      )}
    </Paragraph>
  );
