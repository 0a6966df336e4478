// What a push service carries and cannot read: RFC 8188 in one record, with a key that only one browser can find (RFC 8291).
import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';

const RECORD_BYTES = 4096;
const TAG_BYTES = 16;
/** Of the last record: after it comes nothing. */
const END = Buffer.of(2);
/** Push services take no more than a record, its header included. */
export const MOST_PLAIN_BYTES = RECORD_BYTES - TAG_BYTES - END.length - 86;

export interface BrowserKeys {
  p256dh: string;
  auth: string;
}

export function sealForBrowser(
  { p256dh, auth }: BrowserKeys,
  plain: Buffer,
  sender: ECDH = makeSender(),
  salt: Buffer = randomBytes(16),
): Buffer {
  const browser = Buffer.from(p256dh, 'base64url');
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser, sender.getPublicKey()]);
  const shared = sender.computeSecret(browser);
  const key = derive(shared, Buffer.from(auth, 'base64url'), info, 32);
  return sealContent(plain, { key, salt, keyId: sender.getPublicKey() });
}

/** Used once: whoever reads one message later cannot read another. */
function makeSender(): ECDH {
  const sender = createECDH('prime256v1');
  sender.generateKeys();
  return sender;
}

interface Sealing {
  key: Buffer;
  salt: Buffer;
  keyId: Buffer;
}

export function sealContent(plain: Buffer, { key, salt, keyId }: Sealing): Buffer {
  if (plain.length + END.length + TAG_BYTES > RECORD_BYTES)
    throw new Error('This does not fit in one record');
  const header = Buffer.alloc(21);
  salt.copy(header);
  header.writeUInt32BE(RECORD_BYTES, 16);
  header.writeUInt8(keyId.length, 20);
  const cipher = createCipheriv(
    'aes-128-gcm',
    derive(key, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
    derive(key, salt, Buffer.from('Content-Encoding: nonce\0'), 12),
  );
  const sealed = [cipher.update(plain), cipher.update(END), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([header, keyId, ...sealed]);
}

const derive = (key: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes));
