// HTTP digest authentication, RFC 7616, with SHA-256: what switches ask for.
import { createHash, randomBytes } from 'node:crypto';

interface Asked {
  user: string;
  password: string;
  method: string;
  path: string;
  /** Tests know it. */
  cnonce?: string;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** null: it asks for something else. */
export function answerChallenge(
  challenge: string,
  { user, password, method, path, cnonce = randomBytes(16).toString('hex') }: Asked,
): string | null {
  const fields = new Map(
    [...challenge.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)].map(([, name = '', quoted, plain]) => [
      name.toLowerCase(),
      quoted ?? plain ?? '',
    ]),
  );
  const [realm, nonce] = [fields.get('realm'), fields.get('nonce')];
  const takes = (fields.get('qop') ?? '').split(',').map((one) => one.trim());
  if (!/^digest /i.test(challenge) || fields.get('algorithm')?.toUpperCase() !== 'SHA-256') return null;
  if (realm === undefined || nonce === undefined || !takes.includes('auth')) return null;
  const count = '00000001';
  const response = hash(
    [hash(`${user}:${realm}:${password}`), nonce, count, cnonce, 'auth', hash(`${method}:${path}`)].join(':'),
  );
  return `Digest username="${user}", realm="${realm}", nonce="${nonce}", uri="${path}", algorithm=SHA-256, qop=auth, nc=${count}, cnonce="${cnonce}", response="${response}"`;
}
