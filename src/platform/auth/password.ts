import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import type { AcceptedPassword } from '../../domain/password.ts';

// argon2id, the library's default, at OWASP's first choice of cost. It runs on the thread pool, off the event loop.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: AcceptedPassword): Promise<string> => hash(password, COST);

let decoy: Promise<string> | undefined;

/** Verifies against a hash nobody's password has when there is none, so that unknown emails take equal time. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hash(randomBytes(32).toString('base64'), COST);
  const isMatch = await verify(passwordHash ?? (await decoy), password);
  return passwordHash !== null && isMatch;
}
