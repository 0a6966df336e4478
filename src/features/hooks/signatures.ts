// Who calls back is believed by a signature alone, each as its maker documents it.
import { createHash, createHmac } from 'node:crypto';
import { jwtVerify } from 'jose';
import { isSame } from '../../platform/auth/is-same.ts';

/** base64 of HMAC-SHA1 by the account's token, over the address and all fields, sorted by name. */
export function isFromTwilio(
  token: string,
  url: string,
  form: Readonly<Record<string, string>>,
  signature: string | undefined,
): boolean {
  const fields = Object.keys(form).sort();
  const signed = url + fields.map((name) => name + form[name]).join('');
  return isSame(createHmac('sha1', token).update(signed).digest('base64'), signature);
}

/** A token in the header, over a digest of the body. */
export async function isFromVonage(
  secret: string,
  authorization: string | undefined,
  body: Buffer,
  now: Date,
): Promise<boolean> {
  const [, token = ''] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  const options = { algorithms: ['HS256'], currentDate: now, maxTokenAge: '5 minutes', clockTolerance: 60 };
  const read = await jwtVerify(token, Buffer.from(secret), options).catch(() => null);
  return isSame(
    createHash('sha256').update(body).digest('hex'),
    read?.payload.payload_hash as string | undefined,
  );
}

const BIRD_WITHIN_SECONDS = 300;

/** base64 of HMAC-SHA256 by the signing key, over time, address and digest of the body. */
export function isFromBird(
  key: string,
  given: { timestamp: string | undefined; url: string; body: Buffer; signature: string | undefined },
  now: Date,
): boolean {
  const { timestamp = '', url, body, signature } = given;
  if (Math.abs(Number(timestamp) - now.getTime() / 1000) > BIRD_WITHIN_SECONDS || !/^\d+$/.test(timestamp))
    return false;
  const signed = Buffer.concat([
    Buffer.from(`${timestamp}\n${url}\n`),
    createHash('sha256').update(body).digest(),
  ]);
  return isSame(createHmac('sha256', key).update(signed).digest('base64'), signature);
}
