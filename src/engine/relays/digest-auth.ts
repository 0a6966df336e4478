// HTTP digest authentication, RFC 7616, with SHA-256: what switches ask for.
import { createHash, randomBytes } from 'node:crypto';
import { isSpace, isWordPart, openCursor } from '../../domain/text-cursor.ts';

interface Asked {
  user: string;
  password: string;
  method: string;
  path: string;
  /** Tests know it. */
  cnonce?: string;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Far longer than any switch asks; a header may have 16 KB, and whoever answers by it chooses what. */
const LONGEST_CHALLENGE = 1_000;

/** `Digest realm="shelly", nonce=60` by the names in small letters. null: it is none. */
function readChallenge(challenge: string): Map<string, string> | null {
  if (challenge.length > LONGEST_CHALLENGE) return null;
  const cursor = openCursor(challenge);
  const scheme = cursor.takeWhile(isWordPart).toLowerCase();
  if (scheme !== 'digest' || !cursor.takeWhile(isSpace)) return null;
  const fields = new Map<string, string>();
  while (!cursor.isAtEnd()) {
    const name = cursor.takeWhile(isWordPart).toLowerCase();
    if (name === '' || !cursor.take('=')) return null;
    const value = cursor.take('"') ? cursor.takeUntil('"') : cursor.takeWhile((one) => !isBetween(one));
    if (value === null) return null;
    fields.set(name, value);
    if (!cursor.takeWhile(isBetween) && !cursor.isAtEnd()) return null;
  }
  return fields;
}

const isBetween = (character: string): boolean => character === ',' || isSpace(character);

/** null: it asks for something else. */
export function answerChallenge(
  challenge: string,
  { user, password, method, path, cnonce = randomBytes(16).toString('hex') }: Asked,
): string | null {
  const fields = readChallenge(challenge);
  const [realm, nonce] = [fields?.get('realm'), fields?.get('nonce')];
  const takes = (fields?.get('qop') ?? '').split(',').map((one) => one.trim());
  if (fields?.get('algorithm')?.toUpperCase() !== 'SHA-256') return null;
  if (realm === undefined || nonce === undefined || !takes.includes('auth')) return null;
  const count = '00000001';
  const response = hash(
    [hash(`${user}:${realm}:${password}`), nonce, count, cnonce, 'auth', hash(`${method}:${path}`)].join(':'),
  );
  return `Digest username="${user}", realm="${realm}", nonce="${nonce}", uri="${path}", algorithm=SHA-256, qop=auth, nc=${count}, cnonce="${cnonce}", response="${response}"`;
}
