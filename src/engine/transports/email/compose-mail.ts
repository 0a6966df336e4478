// From a letter to the mail that carries it.
import { createHash } from 'node:crypto';
import type { Language } from '../../../domain/language/speak.ts';
import type { Curve, Notice } from '../../../domain/notifications/notice.ts';
import type { Measured } from '../../../domain/words/say-value.ts';
import type { Mail, MailBody } from '../../../platform/mail/mail.ts';
import type { Letter } from '../../letters/letter.ts';
import { incidentOf, isDigest, tellsAlarm } from '../../letters/notice-words.ts';
import { writeDigestHtml, writeDigestText } from './digest-mail.tsx';
import { subjectOf } from './headline.ts';
import { writeNoticeHtml, writeNoticeText } from './notice-mail.tsx';
import type { EmailRecipient } from './recipient.ts';

/** null: there is no time for a picture. */
type Draw = (curve: Curve, measured: Measured, language: Language) => Buffer | null;

export interface Written {
  subject: string;
  body: MailBody;
}

/** What it says, in the language and the zone of its reader. */
export function writeLetter(letter: Letter, timeZone: string, draw: Draw, now: Date): Written {
  const { language } = letter;
  const subject = subjectOf(letter, now);
  const receiptUrl = tellsAlarm(letter) ? (letter.receiptUrl ?? null) : null;
  if (isDigest(letter)) {
    const digest = { letter, subject, timeZone, receiptUrl, now };
    return { subject, body: { text: writeDigestText(digest), html: writeDigestHtml(digest), pictures: [] } };
  }
  const [notice] = letter.notices;
  const png = notice.curve && draw(notice.curve, notice, language);
  const cid = png && `curve.${shortHash('curve', notice.serviceUrl, notice.notificationId)}@tocsin`;
  const mail = {
    notice,
    language,
    subject,
    timeZone,
    cid,
    receiptUrl,
    personalUrl: letter.personalUrl ?? null,
    now,
  };
  const pictures = png && cid ? [{ cid, fileName: 'curve.png', png }] : [];
  return { subject, body: { text: writeNoticeText(mail), html: writeNoticeHtml(mail), pictures } };
}

export function composeMail(letter: Letter, recipient: EmailRecipient, { subject, body }: Written): Mail {
  const [notice] = letter.notices;
  const envelope = {
    // A new database counts letters from 1 again; the time keeps old and new ones apart.
    id: shortHash('letter', letter.id, letter.createdAt.toISOString()),
    to: { name: recipient.account?.name ?? null, address: recipient.address },
    subject,
    body,
    isUrgent: letter.notices.some(isUrgent),
  };
  if (isDigest(letter)) return { ...envelope, threadId: null, headers: { 'X-Tocsin-Kind': 'digest' } };
  return {
    ...envelope,
    // Service pages have the address of this installation, so threads of two installations never mix.
    threadId: shortHash('incident', notice.serviceUrl, incidentOf(notice)),
    headers: {
      'X-Tocsin-Kind': notice.mark ?? notice.subject,
      'X-Tocsin-Service': String(notice.serviceId),
    },
  };
}

const isUrgent = ({ subject, mark }: Notice): boolean => subject === 'critical' && mark !== 'test';

const shortHash = (...parts: string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);
