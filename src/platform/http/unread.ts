// What is answered although it was not read, or not to its end.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const READ_ANSWER_WITHIN_MS = 5_000;

/** Answered before all of it was read. The rest is thrown away for a while, so that the sender gets to read the answer. */
export function cutOffUnread(app: FastifyInstance): void {
  app.addHook('onResponse', async ({ raw }) => {
    if (raw.complete) return;
    raw.resume();
    const timer = setTimeout(() => raw.socket.destroy(), READ_ANSWER_WITHIN_MS);
    raw.once('close', () => clearTimeout(timer));
  });
}

/** What is not HTTP at all never reaches the framework; it gets the same shape of answer. */
export function answerUnreadableRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, detail] = UNREADABLE[error.code ?? ''] ?? [
    '400 Bad Request',
    'The request could not be read',
  ];
  // Whoever is too slow to ask would be too slow to hang up.
  socket.end(writeAnswer(status, detail), () => error.code === TOO_SLOW && socket.destroy());
}

const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';

const UNREADABLE: Record<string, [status: string, detail: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are too large'],
  [TOO_SLOW]: ['408 Request Timeout', 'The request took too long to arrive'],
};

export function writeAnswer(status: string, detail: string, headers: string[] = []): string {
  const body = JSON.stringify({ detail });
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    ...headers,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
