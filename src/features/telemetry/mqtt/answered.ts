// A message whose answer was lost on the way comes again, marked as such. If it says no time, nothing else tells it from a
// new one: so what was answered is remembered for a while, by whoever sent it.
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

/**
 * 53 bits of what it holds (cyrb53). Only messages of one client are told apart by it, so nobody gains by making two alike, and
 * a digest that would forbid it costs as much as to read the message.
 */
export function nameMessage(topic: string, payload: Uint8Array): number {
  let one = 0xdeadbeef ^ topic.length;
  let other = 0x41c6ce57 ^ payload.length;
  for (let at = 0; at < topic.length; at += 1) {
    const code = topic.charCodeAt(at);
    one = Math.imul(one ^ code, 2_654_435_761);
    other = Math.imul(other ^ code, 1_597_334_677);
  }
  for (let at = 0; at < payload.length; at += 1) {
    const byte = payload[at] as number;
    one = Math.imul(one ^ byte, 2_654_435_761);
    other = Math.imul(other ^ byte, 1_597_334_677);
  }
  const low = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
  const high =
    Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  return (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0);
}

function forgetFirst(map: Map<unknown, unknown>): void {
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
}
