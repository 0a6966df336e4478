// What the database keeps but cannot read: sealed with a key that lies elsewhere.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

export interface SealingKey {
  /** Tells keys apart, and says nothing of them. */
  id: string;
  bytes: Buffer;
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** From any secret that is long enough. */
export function makeSealingKey(secret: Buffer): SealingKey {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'tocsin delivery settings', 32));
  const id = createHash('sha256').update('tocsin key id').update(bytes).digest('hex').slice(0, 12);
  return { id, bytes };
}

/** `name`: what it is, so that nobody puts one sealed value in the place of another. */
export function seal({ bytes }: SealingKey, name: string, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, bytes, nonce);
  cipher.setAAD(Buffer.from(name));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** null: another key, another name, or not what was sealed. */
export function unseal({ bytes }: SealingKey, name: string, sealed: Buffer): string | null {
  try {
    const decipher = createDecipheriv(ALGORITHM, bytes, sealed.subarray(0, NONCE_BYTES));
    decipher.setAAD(Buffer.from(name));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
