// Messages go to the root of the server; people know a topic by its address, which ends with it.
import { countJsonBytes, shorten } from '../../letters/fit-text.ts';
import { bearer, type WebhookRequest, writeJsonRequest } from '../../letters/webhook-kind.ts';

/** Above that ntfy makes a file of the message. */
const MOST_BYTES = 4_096;
const MOST_TITLE_BYTES = 500;

interface Note {
  title: string;
  message: string;
  tags?: string[];
  priority: number;
  click?: string;
  actions?: object[];
}

/** null: there is none. */
export function readTopic({ pathname }: URL): { folder: string; topic: string } | null {
  const { folder, topic } = /^(?<folder>.*\/)(?<topic>[-_A-Za-z0-9]{1,64})\/?$/.exec(pathname)?.groups ?? {};
  return folder === undefined || topic === undefined ? null : { folder, topic };
}

export const viewAction = (label: string, url: string) => ({ action: 'view', label, url });

/** `writeText`: in so many bytes as the rest leaves. */
export function writeNtfy(
  address: string,
  secret: string | null,
  { title, tags, ...rest }: Omit<Note, 'message'>,
  writeText: (room: number) => string,
): WebhookRequest {
  const url = new URL(address);
  const { folder, topic } = readTopic(url) ?? { folder: '/', topic: '' };
  url.pathname = folder;
  const note: Note & { topic: string } = {
    topic,
    title: shorten(title, MOST_TITLE_BYTES, countJsonBytes),
    message: '',
    ...(tags && { tags }),
    ...rest,
  };
  note.message = writeText(MOST_BYTES - Buffer.byteLength(JSON.stringify(note)));
  return writeJsonRequest(url, note, bearer(secret));
}
