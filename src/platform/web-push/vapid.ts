// By which a push service knows who sends: RFC 8292.
import { createECDH, createPrivateKey, sign } from 'node:crypto';

export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

export function makePushKeys(): PushKeys {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  // A number that begins with zeros comes shorter than it is read.
  const privateKey = pair.getPrivateKey().toString('hex').padStart(64, '0');
  return {
    publicKey: pair.getPublicKey('base64url'),
    privateKey: Buffer.from(privateKey, 'hex').toString('base64url'),
  };
}

/** Services take up to a day, and clocks differ. */
const GOOD_FOR_SECONDS = 12 * 60 * 60;

/** The value of `authorization`, for the service behind this endpoint. `subject` says whom to ask about it. */
export function writeVapid(endpoint: URL, keys: PushKeys, subject: string, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + GOOD_FOR_SECONDS;
  const head = encode({ typ: 'JWT', alg: 'ES256' });
  const claims = encode({ aud: endpoint.origin, exp: expires, sub: subject });
  const signature = sign('sha256', Buffer.from(`${head}.${claims}`), {
    key: toKey(keys),
    dsaEncoding: 'ieee-p1363',
  });
  return `vapid t=${head}.${claims}.${signature.toString('base64url')}, k=${keys.publicKey}`;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function toKey({ publicKey, privateKey }: PushKeys) {
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  return createPrivateKey({
    format: 'jwk',
    key: { kty: 'EC', crv: 'P-256', x: x as string, y: y as string, d: privateKey },
  });
}
