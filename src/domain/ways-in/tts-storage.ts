// What the storage integration of The Things Stack answers: one message on each line, the oldest first as we ask for it.
import type { Instant } from '../judging/judge.ts';
import type { StorageSettings } from './source-settings.ts';
import { objectAt, parseJson, timeAt } from './webhook-body.ts';

export interface StoredMessage {
  /** As a webhook would have brought it. */
  text: string;
  receivedAt: Instant;
}

interface StoredPage {
  messages: StoredMessage[];
  /** What it says went wrong on the way; null: nothing. */
  error: string | null;
}

/** A line that breaks off is asked for again; one without a time could never be passed. */
export function readStoredPage(text: string): StoredPage {
  const page: StoredPage = { messages: [], error: null };
  for (const line of text.split('\n')) {
    const { result, error } = objectAt(parseJson(line.replace(/^data:/, '')));
    const receivedAt = timeAt(objectAt(result).received_at);
    if (receivedAt !== null) page.messages.push({ text: JSON.stringify(result), receivedAt });
    if (error !== undefined) page.error = String(objectAt(error).message ?? 'it broke off');
  }
  return page;
}

export const MOST_STORED = 100;

export function askStored({ url, application }: StorageSettings, after: Date): URL {
  const path = `/api/v3/as/applications/${encodeURIComponent(application)}/packages/storage/uplink_message`;
  const asked = new URL(path, url);
  asked.searchParams.set('after', after.toISOString());
  asked.searchParams.set('order', 'received_at');
  asked.searchParams.set('limit', String(MOST_STORED));
  return asked;
}
