// A server that takes webhooks and answers what the test tells it to.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedWebhook {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Byte for byte, for signatures. */
  text: string;
  /** undefined: not JSON. */
  body: unknown;
}

type WebhookAnswer = (response: ServerResponse, received: ReceivedWebhook) => unknown;

export interface WebhookReceiver {
  /** `http://127.0.0.1:PORT`, without a slash at its end. */
  url: string;
  host: string;
  /** Every request, in order. */
  received: ReceivedWebhook[];
}

/** Answers each request with the next answer; the last one stays. Gone with the test. */
export async function startWebhookReceiver(
  ...answers: [WebhookAnswer, ...WebhookAnswer[]]
): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString('utf8');
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, headers, text, body: readJson(text) };
    received.push(one);
    answers[Math.min(received.length, answers.length) - 1]?.(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, received };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const answers =
  (status: number, text = '', headers: Record<string, string> = {}): WebhookAnswer =>
  (response) =>
    response.writeHead(status, headers).end(text);

export const redirectsTo = (location: string, status = 307): WebhookAnswer =>
  answers(status, '', { location });

/** Takes the request and never answers. */
export const neverAnswers: WebhookAnswer = () => {};

/** Says that it took the message, and goes on saying it. */
export const neverStops =
  (status = 200): WebhookAnswer =>
  (response) => {
    response.writeHead(status);
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };

/** Sends the head of an answer, and its text never. */
export const holdsBack =
  (status = 200): WebhookAnswer =>
  (response) => {
    response.writeHead(status, { 'content-length': '10' });
    response.flushHeaders();
  };

export const hangsUp: WebhookAnswer = (response) => response.destroy();

/** Something, but not HTTP. */
export const babbles: WebhookAnswer = (response) => response.socket?.end('what is this\r\n\r\n');
