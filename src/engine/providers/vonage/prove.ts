import { createHash } from 'node:crypto';
import { jwtVerify } from 'jose';
import { isSame } from '../../../platform/auth/is-same.ts';

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
