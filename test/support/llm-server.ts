// A server that speaks the chat completions protocol and answers what the test tells it to.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface Asked {
  path: string;
  headers: IncomingHttpHeaders;
  body: {
    model: string;
    messages: { role: string; content: string }[];
    response_format?: { type: string; json_schema: { name: string; strict: boolean; schema: object } };
  };
}

type Answer = (response: ServerResponse, asked: Asked) => unknown;

interface LlmServer {
  url: URL;
  /** Every question, in order. */
  asked: Asked[];
}

/** Answers each question with the next answer; the last one stays. Gone with the test. */
export async function startLlmServer(...answers: [Answer, ...Answer[]]): Promise<LlmServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const one = {
      path: `${request.method} ${request.url}`,
      headers: request.headers,
      body: JSON.parse(Buffer.concat(parts).toString('utf8')),
    };
    asked.push(one);
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    answer?.(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}/v1`), asked };
}

/** Where a server was, and nobody listens any more. */
export async function findClosedAddress(): Promise<URL> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return new URL(`http://127.0.0.1:${port}/v1`);
}

const sendJson = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A completion with this message. */
export const completes =
  (message: object, finishReason = 'stop'): Answer =>
  (response, { body }) =>
    sendJson(response, 200, {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: body.model,
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finishReason }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    });

export const says = (content: string): Answer => completes({ content });

export const sends =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    sendJson(response, status, body, headers);

/** Takes the question and never answers. */
export const neverAnswers: Answer = () => {};

/** Answers, but so slowly that nobody lives to see the end. */
export const trickles: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const drops = setInterval(() => response.write(' '), 50);
  response.once('close', () => clearInterval(drops));
};

/** A page instead of an answer, as proxies and sign-in walls send it. */
export const showsPage =
  (status: number): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<!doctype html><h1>Welcome</h1>');

/** Begins an answer that does not end. */
export const neverStops: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};

export const breaksOff: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"choices":', () => response.destroy());
};
