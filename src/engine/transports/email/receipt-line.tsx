// The link by which the reader of a mail says to have it, beside the one that acknowledges.
import { Link, Paragraph } from '../../../platform/mail/mail-page.tsx';

const WORDS = 'I have it';
const MEANING = 'acknowledges nothing, says only that this mail has reached you';

export const receiptLines = (url: string | null): string[] =>
  url === null ? [] : [`${WORDS} (${MEANING}):`, url, ''];

export const ReceiptLine = ({ url }: { url: string | null }) =>
  url === null ? null : (
    <Paragraph>
      <Link href={url}>{WORDS}</Link> ({MEANING})
    </Paragraph>
  );
