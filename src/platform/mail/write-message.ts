// A mail as it travels (RFC 5322, MIME). What it says is encoded once for all who get the same; only the head is each one's own.
import { domainToASCII } from 'node:url';
import MailComposer from 'nodemailer/lib/mail-composer';
import MimeNode from 'nodemailer/lib/mime-node';
import type { Mail, MailAddress, MailBody } from './mail.ts';

interface EncodedBody {
  contentType: string;
  bytes: Buffer;
}

const END_OF_HEAD = '\r\n\r\n';

export function createMessageWriter(from: MailAddress): (mail: Mail, now: Date) => Promise<Buffer> {
  const encoded = new WeakMap<MailBody, Promise<EncodedBody>>();
  return async (mail, now) => {
    const encoding = encoded.get(mail.body) ?? encodeBody(mail.body);
    encoded.set(mail.body, encoding);
    const { contentType, bytes } = await encoding;
    return Buffer.concat([Buffer.from(writeHead(mail, from, contentType, now) + END_OF_HEAD), bytes]);
  };
}

async function encodeBody({ text, html, pictures }: MailBody): Promise<EncodedBody> {
  const attachments = pictures.map(({ cid, fileName, png }) => ({
    cid,
    filename: fileName,
    content: png,
    contentType: 'image/png',
    contentDisposition: 'inline' as const,
  }));
  const message = await new MailComposer({ text, html, attachments }).compile().build();
  const endOfHead = message.indexOf(END_OF_HEAD);
  const contentType = /^content-type:((?:[^\r]|\r\n[ \t])*)/im.exec(message.toString('latin1', 0, endOfHead));
  if (!contentType?.[1]) throw new Error('A mail was written without a content type');
  return { contentType: contentType[1].trim(), bytes: message.subarray(endOfHead + END_OF_HEAD.length) };
}

function writeHead(mail: Mail, from: MailAddress, contentType: string, now: Date): string {
  const idFor = (left: string) => `<${left}@${domainOf(from)}>`;
  // Its boundary is that of the body; naming one keeps it from drawing lots for another.
  const head = new MimeNode(contentType, { baseBoundary: 'unused' });
  // Addresses as objects: a name is never read as a second address. The types know texts only.
  const setAddress = head.setHeader.bind(head) as (key: string, address: MailAddress) => unknown;
  setAddress('From', { name: from.name ?? '', address: from.address });
  setAddress('To', { name: oneLine(mail.to.name ?? ''), address: mail.to.address });
  head.setHeader({
    Subject: oneLine(mail.subject),
    'Message-ID': idFor(mail.id),
    ...(mail.threadId !== null && {
      'In-Reply-To': idFor(mail.threadId),
      References: idFor(mail.threadId),
    }),
    Date: now.toUTCString().replace('GMT', '+0000'),
    'Auto-Submitted': 'auto-generated',
    // Keeps Exchange from answering a machine with out-of-office notes.
    'X-Auto-Response-Suppress': 'All',
    ...mail.headers,
    ...(mail.isUrgent && { 'X-Priority': '1 (Highest)', Importance: 'High' }),
  });
  return head.buildHeaders();
}

const domainOf = ({ address }: MailAddress): string =>
  domainToASCII(address.slice(address.lastIndexOf('@') + 1)) || 'localhost';

/** Nobody writes a header of his own by way of a name with a line break in it. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
