const RECEIVED = /^(delivered|read|confirmed)$/i;
const LOST = /^(undelivered|failed|rejected|undeliverable|delivery_failed|expired)$/i;

/** null: on its way, or nothing that concerns us. */
export function readStatus(said: string): 'received' | 'lost' | null {
  if (RECEIVED.test(said)) return 'received';
  return LOST.test(said) ? 'lost' : null;
}
