// A payload that its network did not decode: left for the codec of its source.
import type { Instant } from '../instant.ts';

/** In the words that codecs know. */
export interface Uplink {
  bytes: number[];
  fPort: number;
  recvTime: Instant;
  variables: Record<string, string>;
}

export interface Undecoded {
  index: number;
  uplink: Uplink;
  /** Goes on with what the codec made of it. */
  take(payloads: readonly Record<string, unknown>[]): void;
}
