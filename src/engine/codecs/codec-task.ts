// What the program and the thread of the codecs say to each other.

export interface CodecTask {
  id: number;
  /** Whose codec: it has a context of its own, and another id when it changes. null: one that is tried out once. */
  sourceId: number | null;
  organizationId: number;
  code: string;
  /** Bytes, port, time and variables, as JSON. */
  input: string;
}

/** Said once, when the thread can begin. */
export const READY = 'ready';

export interface CodecAnswer {
  id: number;
  /** What the codec made of it, as JSON; null: it failed. */
  output: string | null;
  failure: string;
}
