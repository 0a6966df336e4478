import type { ClusterPlace } from './settle-place.ts';

/** What it takes to start, find and stop one embedded server. */
export interface Station {
  place: ClusterPlace;
  password: string;
  /** Of the server, beside ours. */
  settings: Record<string, string>;
  /** Prepared only when something must be run: who finds a running server needs none. */
  binaries: () => Promise<string>;
  say: (line: string) => void;
}
