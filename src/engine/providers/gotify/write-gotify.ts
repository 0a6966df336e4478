import { type WebhookRequest, writeJsonRequest } from '../../letters/webhook-kind.ts';

interface Note {
  title: string;
  message: string;
  priority: number;
  /** Where a tap leads; null: nowhere. */
  click: string | null;
}

export const writeGotify = (
  server: string,
  secret: string | null,
  { click, ...message }: Note,
): WebhookRequest => {
  const extras = click !== null && { 'client::notification': { click: { url: click } } };
  return writeJsonRequest(
    atServer(server, 'message'),
    { ...message, ...(extras && { extras }) },
    { 'x-gotify-key': secret ?? '' },
  );
};

export function atServer(server: string, verb: string): URL {
  const url = new URL(server);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${verb}`;
  return url;
}
