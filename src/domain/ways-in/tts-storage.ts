// What the storage integration of The Things Stack answers: one message on each line, the oldest first as we ask for it.

import type { Instant } from '../instant.ts';
import { parseJson } from '../json/parse-json.ts';
import { message } from '../language/message.ts';
import { type ReadSetting, readObject, text } from './read-settings.ts';
import { objectAt, timeAt } from './webhook-body.ts';

export interface StorageSettings {
  /** Such as https://eu1.cloud.thethings.network. */
  url: string;
  application: string;
  key: string;
}

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

/** We ask for a hundred messages; between them there may be empty lines. */
const MOST_LINES = 1_000;

/** A line that breaks off is asked for again; one without a time could never be passed. Stops after each line. */
export function* readStoredPage(text: string): Generator<void, StoredPage> {
  const page: StoredPage = { messages: [], error: null };
  let lines = 0;
  for (let from = 0; from < text.length; lines += 1) {
    if (lines >= MOST_LINES) return { ...page, error: `it sent more than ${MOST_LINES} lines` };
    const found = text.indexOf('\n', from);
    const end = found < 0 ? text.length : found;
    const line = text.slice(text.startsWith(PREFIX, from) ? from + PREFIX.length : from, end);
    from = end + 1;
    const { result, error } = objectAt(parseJson(line));
    const receivedAt = timeAt(objectAt(result).received_at);
    if (receivedAt !== null) page.messages.push({ text: JSON.stringify(result), receivedAt });
    if (error !== undefined)
      page.error = String(objectAt(error).message ?? 'it broke off').slice(0, LONGEST_ERROR);
    yield;
  }
  return page;
}

const PREFIX = 'data:';
const LONGEST_ERROR = 200;

export const MOST_STORED = 100;

export function askStored({ url, application }: StorageSettings, after: Date): URL {
  const path = `/api/v3/as/applications/${encodeURIComponent(application)}/packages/storage/uplink_message`;
  const asked = new URL(path, url);
  asked.searchParams.set('after', after.toISOString());
  asked.searchParams.set('order', 'received_at');
  asked.searchParams.set('limit', String(MOST_STORED));
  return asked;
}

const address: ReadSetting = (value, path, faults) => {
  const { protocol } = typeof value === 'string' && URL.canParse(value) ? new URL(value) : { protocol: '' };
  if (protocol !== 'https:' && protocol !== 'http:')
    faults.push({ path, message: message('must be an address such as https://eu1.cloud.thethings.network') });
};
const KEY = /^[\x21-\x7e]{1,300}$/;
const key: ReadSetting = (value, path, faults) => {
  if (typeof value !== 'string' || !KEY.test(value))
    faults.push({ path, message: message('must be an API key') });
};
export const storage: ReadSetting = (value, path, faults) =>
  readObject({ url: address, application: text, key }, ['url', 'application', 'key'], value, path, faults);
