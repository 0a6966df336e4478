// A connection that has handed in readings hands in more. Its small posts pass by the framework, which does more for a
// request than a reading costs. Whatever is different about a post goes the long way; the answers are the same.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../platform/clock.ts';
import { RETRY_AFTER_SECONDS } from '../../platform/http/errors.ts';
import type { HeaderLine } from '../../platform/http/prepared-head.ts';
import type { PassBy } from '../../platform/http/server.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { answerOutcome, NOT_STORED, type TelemetryAnswer } from './answers.ts';
import type { HandIn } from './hand-in.ts';
import type { Sender } from './sources.ts';
import { SMALL_BYTES } from './take-post.ts';

export const TELEMETRY_PATH = '/api/v1/telemetry';

export interface ShortWay {
  passBy: PassBy;
  /** Readings of this sender came over the connection the long way, and were stored. */
  know(request: IncomingMessage, sender: Sender): void;
  /** The program stops: connections that are kept busy would hold it up. */
  close(): void;
}

export interface ShortWayDeps {
  handIn: HandIn;
  clock: Clock;
  log: Log;
  metrics: Metrics | null;
}

/** Only ever compared with what comes over the same connection. */
interface Known extends Sender {
  authorization: string;
}

export function openShortWay({ handIn, clock, log, metrics }: ShortWayDeps): ShortWay {
  const known = new WeakMap<Socket, Known>();
  let isClosed = false;

  /** Whose post it is, if there is nothing special about it. */
  const findSender = ({ method, url, headers, socket }: IncomingMessage): Known | null => {
    if (isClosed || method !== 'POST' || url !== TELEMETRY_PATH) return null;
    if (headers['content-type'] !== 'application/json' || headers['content-encoding'] !== undefined)
      return null;
    if (!(Number(headers['content-length']) <= SMALL_BYTES)) return null;
    const sender = known.get(socket);
    return sender && sender.authorization === headers.authorization ? sender : null;
  };

  const store = async (
    body: Buffer,
    sender: Known,
    request: IncomingMessage,
    requestId: string,
  ): Promise<TelemetryAnswer> => {
    try {
      const outcome = await handIn(sender, { body, headers: request.headers, now: clock() });
      if (outcome === 'unknown_source') known.delete(request.socket);
      return answerOutcome(outcome);
    } catch (error) {
      log.error({ err: error, requestId }, 'readings could not be stored');
      return NOT_STORED;
    }
  };

  return {
    passBy(request, response, head) {
      const sender = findSender(request);
      if (!sender) return false;
      const startedAt = performance.now();
      const requestId = randomUUID();
      receive(request, async (body) => {
        const answer = await store(body, sender, request, requestId);
        head.answer(response, answer.status, linesOf(answer, requestId), JSON.stringify(answer.body));
        const seconds = (performance.now() - startedAt) / 1000;
        const seen = { method: 'POST', route: TELEMETRY_PATH, status: String(answer.status) };
        metrics?.observeRequest(seen, seconds);
        log.info({ requestId, ...seen, status: answer.status, ms: Math.round(seconds * 1000) }, 'answered');
      });
      return true;
    },
    know({ socket, headers: { authorization } }, { secret, source }) {
      if (authorization !== undefined) known.set(socket, { authorization, secret, source });
    },
    close() {
      isClosed = true;
    },
  };
}

/** Of a sender who hangs up nothing is used. */
function receive(request: IncomingMessage, use: (body: Buffer) => void): void {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.once('end', () => use(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)));
  request.once('error', () => {});
}

const LINES: HeaderLine[] = [
  ['cache-control', 'no-store'],
  ['content-type', 'application/json; charset=utf-8'],
];

function linesOf({ status, isForLater }: TelemetryAnswer, requestId: string): HeaderLine[] {
  const lines: HeaderLine[] = [['x-request-id', requestId], ...LINES];
  if (isForLater) lines.push(['retry-after', String(RETRY_AFTER_SECONDS)]);
  if (status === 401) lines.push(['www-authenticate', 'Bearer']);
  return lines;
}
