import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import type { AcceptedPassword } from '../../domain/accounts/password.ts';
import type { AcceptedPin } from '../../domain/accounts/phone-pin.ts';
import { openGate } from '../turns.ts';

// argon2id, the library's default, at OWASP's first choice of cost. It runs on the thread pool, off the event loop.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Who asks is not known yet. */
const ANYBODY = 'anybody';

/** Anybody may ask for a hash. The other threads are for whoever looks up the name of a mail server. */
const gate = openGate({ atOnce: 2, mostWaiting: 40 });

export const hashPassword = (password: AcceptedPassword): Promise<string> =>
  gate.pass(ANYBODY, () => hash(password, COST));

let decoy: Promise<string> | undefined;

/** Verifies against a hash nobody's password has when there is none, so that unknown emails take equal time. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hash(randomBytes(32).toString('base64'), COST);
  const against = passwordHash ?? (await decoy);
  const isMatch = await gate.pass(ANYBODY, () => verify(against, password));
  return passwordHash !== null && isMatch;
}

/** Of its own, so that whoever tries passwords keeps nobody from acknowledging. */
const pinGate = openGate({ atOnce: 1, mostWaiting: 40 });

export const hashPin = (pin: AcceptedPin): Promise<string> => pinGate.pass(ANYBODY, () => hash(pin, COST));

export const verifyPin = (pinHash: string, pin: string): Promise<boolean> =>
  pinGate.pass(ANYBODY, () => verify(pinHash, pin));
