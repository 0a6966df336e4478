// A message whose answer was lost on the way comes again, marked as such. If it says no time, nothing else tells it from a
// new one: so what was answered is remembered for a while, by whoever sent it.
import type { Instant } from '../../../domain/instant.ts';

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

const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * 53 bits of what it holds, by FNV-1a from its beginning and from its end. Only messages of one client are told apart by them,
 * so nobody gains by making two alike, and a digest that would forbid it costs as much as to read the message.
 */
export function nameMessage(topic: string, payload: Uint8Array): number {
  let forth = BASIS ^ topic.length;
  let back = BASIS ^ payload.length;
  const said = topic.length + payload.length;
  const at = (place: number) =>
    place < topic.length ? topic.charCodeAt(place) : (payload[place - topic.length] as number);
  for (let place = 0; place < said; place += 1) {
    forth = Math.imul(forth ^ at(place), PRIME);
    back = Math.imul(back ^ at(said - 1 - place), PRIME);
  }
  return (back & 0x1fffff) * 2 ** 32 + (forth >>> 0);
}

function forgetFirst(map: Map<unknown, unknown>): void {
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
}
