// A message whose answer was lost on the way comes again, marked as such. If it says no time, nothing else tells it from a
// new one: so what was answered is remembered for a while, by whoever sent it.
import { createHash } from 'node:crypto';
import type { Instant } from '../../../domain/judging/judge.ts';

const KEPT_MS = 10 * 60_000;
/** More than a client has under way; the server lets it have 100. */
const MOST_PER_CLIENT = 200;
const MOST_CLIENTS = 5_000;

export interface Answered {
  has(client: string, name: number, now: Instant): boolean;
  add(client: string, name: number, now: Instant): void;
}

export function rememberAnswered(): Answered {
  /** Those heard last come last. */
  const clients = new Map<string, Map<number, Instant>>();
  return {
    has(client, name, now) {
      const at = clients.get(client)?.get(name);
      return at !== undefined && Math.abs(now - at) <= KEPT_MS;
    },
    add(client, name, now) {
      const messages = clients.get(client) ?? new Map<number, Instant>();
      if (clients.size >= MOST_CLIENTS && !clients.has(client)) forgetFirst(clients);
      clients.delete(client);
      clients.set(client, messages);
      messages.delete(name);
      messages.set(name, now);
      if (messages.size > MOST_PER_CLIENT) forgetFirst(messages);
    },
  };
}

/** 48 bits of a digest. */
export const nameMessage = (topic: string, payload: Buffer): number =>
  createHash('sha256').update(topic).update('\0').update(payload).digest().readUIntBE(0, 6);

function forgetFirst(map: Map<unknown, unknown>): void {
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
}
