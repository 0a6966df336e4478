// A way in: how a source speaks. docs/ways-in.md tells people of each, CONTRIBUTING.md how one is added.
import type { Instant } from '../instant.ts';
import type { PostFault } from '../readings/telemetry.ts';
import type { CommonSettings } from './common-settings.ts';
import type { WayPost } from './gather-readings.ts';
import type { SettingReaders } from './read-settings.ts';

export interface WayRules<Own extends object> {
  settings: CommonSettings & Own;
  receivedAt: Instant;
}

/** What is long is read a piece at a time, so that others can be answered. */
export type Reading<Fault extends string = PostFault> = WayPost | Generator<void, WayPost | Fault>;

export interface WayIn<Own extends object> {
  /** Its own, beside those of every source. */
  settings: SettingReaders<Own>;
  /** Messages of radio devices are lost now and then. */
  isRadio: boolean;
  /** As if the last body came now; null: what is a reading is nothing that its settings say. */
  tryOut: ((body: Uint8Array, topic: string, rules: WayRules<Own>) => Reading) | null;
}

/** `Address`: what stands beside the body, in its address, its headers or its topic. */
export interface WayOfOthers<Own extends object, Address> extends WayIn<Own> {
  read(body: Uint8Array, address: Address, rules: WayRules<Own>): Reading<PostFault | 'unreadable'>;
}

/** Bytes that are no text are replaced, and nothing is left out. */
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

export const textOf = (body: Uint8Array): string => UTF8.decode(body);
