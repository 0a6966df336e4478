import { createHash, createHmac } from 'node:crypto';
import { isSame } from '../../../platform/auth/is-same.ts';

const WITHIN_SECONDS = 300;

/** base64 of HMAC-SHA256 by the signing key, over time, address and digest of the body. */
export function isFromBird(
  key: string,
  given: { timestamp: string | undefined; url: string; body: Buffer; signature: string | undefined },
  now: Date,
): boolean {
  const { timestamp = '', url, body, signature } = given;
  if (Math.abs(Number(timestamp) - now.getTime() / 1000) > WITHIN_SECONDS || !/^\d+$/.test(timestamp))
    return false;
  const signed = Buffer.concat([
    Buffer.from(`${timestamp}\n${url}\n`),
    createHash('sha256').update(body).digest(),
  ]);
  return isSame(createHmac('sha256', key).update(signed).digest('base64'), signature);
}
