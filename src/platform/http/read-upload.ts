// A form with one file (RFC 7578), cut where its boundary stands: nothing of the file is looked at, nor copied.
import { isUtf8 } from 'node:buffer';
import { type FormFields, UndecodableBody } from './form-body.ts';

const MOST_PARTS = 20;
const LONGEST_HEAD = 4_096;

export interface Upload {
  fields: FormFields;
  /** null: none was chosen. */
  file: Buffer | null;
}

const unread = () => new UndecodableBody('The form is not valid multipart/form-data');

export function readUpload(body: Buffer, contentType: string): Upload {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw unread();
  const between = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const upload: Upload = { fields: Object.create(null), file: null };
  let at = body.indexOf(between.subarray(2)) + between.length - 2;
  if (at !== between.length - 2) throw unread();
  for (let count = 0; count < MOST_PARTS; count += 1) {
    if (body.toString('latin1', at, at + 2) === '--') return upload;
    const head = body.indexOf('\r\n\r\n', at);
    if (head < 0 || head - at > LONGEST_HEAD) throw unread();
    const end = body.indexOf(between, head + 2);
    if (end < 0) throw unread();
    readPart(upload, body.toString('utf8', at, head), body.subarray(Math.min(head + 4, end), end));
    at = end + between.length;
  }
  throw unread();
}

function readPart(upload: Upload, head: string, content: Buffer): void {
  const said = head.split('\r\n').find((line) => /^content-disposition:/i.test(line)) ?? '';
  const name = /;\s*name="([^"]*)"/i.exec(said)?.[1];
  if (name === undefined) return;
  // A form without a chosen file sends an empty one without a name.
  if (/;\s*filename\*?=/i.test(said)) {
    if (content.length > 0) upload.file = content;
    return;
  }
  if (!isUtf8(content)) throw unread();
  upload.fields[name] = content.toString('utf8');
}
