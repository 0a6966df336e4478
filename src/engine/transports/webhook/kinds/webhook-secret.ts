// Standard Webhooks 1.0: whoever has the secret can tell that a request comes from here, and when it was made.
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** 32 random bytes, as receivers' libraries take them. */
export const createWebhookSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`;

export interface SignedMessage {
  id: string;
  /** Unix seconds. */
  timestamp: number;
  /** Byte for byte what is sent. */
  body: string;
}

/** One signature per secret: while a secret is changed, both can stand there, separated by a space. */
export const signWebhook = (secret: string, { id, timestamp, body }: SignedMessage): string =>
  readKeys(secret)
    .map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64'))
    .map((signature) => `v1,${signature}`)
    .join(' ');

/** What does not begin with `whsec_` is a password that people agreed on: its bytes are the key. */
const readKeys = (secret: string): Buffer[] =>
  secret.startsWith(PREFIX)
    ? secret.split(/\s+/).map((part) => Buffer.from(part.slice(PREFIX.length), 'base64'))
    : [Buffer.from(secret, 'utf8')];

/** A secret that lost something on its way here would sign what nobody can verify. */
export const isDamagedSecret = (secret: string): boolean =>
  secret.startsWith(PREFIX) &&
  !/^whsec_[A-Za-z0-9+/]{22,}={0,2}(\s+whsec_[A-Za-z0-9+/]{22,}={0,2})*$/.test(secret);
