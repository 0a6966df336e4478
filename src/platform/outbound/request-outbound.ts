// One request to an address that somebody typed in. The address that is checked is the one that is connected to, so a name
// cannot lead elsewhere in between; there are no redirects, no proxies and no kept connections.
import { lookup as askSystem } from 'node:dns/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { findReach } from './address-rules.ts';

export interface OutboundRequest {
  /** POST unless it says otherwise. */
  method?: 'POST' | 'PUT' | 'GET';
  url: URL;
  headers: Record<string, string>;
  body: string | Buffer;
}

export interface OutboundAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Its beginning. */
  text: string;
}

export type OutboundFailure =
  | { kind: 'forbidden_address' | 'private_address' | 'stopped' }
  | { kind: 'timeout'; afterMs: number }
  | { kind: 'unreachable'; code: string };

export interface OutboundSettings {
  allowPrivate: boolean;
  timeoutMs: number;
  /** How much of the answer is read; 64 KB unless given. */
  mostBytes?: number;
  /** Tests have names of their own. */
  resolve?: Resolve;
}

type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

const MOST_BYTES = 64 * 1024;
const MOST_HEADER_BYTES = 16 * 1024;
/** The usual quarter of a second gives up on receivers on the other side of the world. */
const TRY_NEXT_ADDRESS_AFTER_MS = 2_500;

/** Resolves to a failure for whatever may happen on the way. */
export async function requestOutbound(
  request: OutboundRequest,
  settings: OutboundSettings,
  signal: AbortSignal,
): Promise<Result<OutboundAnswer, OutboundFailure>> {
  const literal = request.url.hostname.replace(/^\[|\]$/g, '');
  const refused = isIP(literal) === 0 ? null : forbidAddress(literal, settings.allowPrivate);
  if (refused) return refuse(refused);

  // Not AbortSignal.any: it keeps a trace of every request on a signal that lives as long as the program.
  const ending = new AbortController();
  const stop = () => ending.abort();
  const timer = setTimeout(stop, settings.timeoutMs);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    const response = await exchange(request, settings, ending.signal);
    const text = await readStart(response, settings.mostBytes ?? MOST_BYTES);
    return ok({ status: response.statusCode ?? 0, headers: response.headers, text });
  } catch (error) {
    const forbidden = findForbidden(error);
    if (forbidden) return refuse(forbidden);
    if (signal.aborted) return refuse({ kind: 'stopped' });
    if (ending.signal.aborted) return refuse({ kind: 'timeout', afterMs: settings.timeoutMs });
    return refuse({ kind: 'unreachable', code: nameCause(error) });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** null: it may be reached. */
export function forbidAddress(address: string, allowPrivate: boolean): OutboundFailure | null {
  const reach = findReach(address);
  if (reach === 'public' || (reach === 'private' && allowPrivate)) return null;
  return { kind: reach === 'private' ? 'private_address' : 'forbidden_address' };
}

/** null: it is about something else. */
export const findForbidden = (error: unknown): OutboundFailure | null =>
  error instanceof ForbiddenAddress ? error.failure : null;

class ForbiddenAddress extends Error {
  readonly failure: OutboundFailure;
  constructor(failure: OutboundFailure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** Resolves with the head of the answer. */
function exchange(
  { method = 'POST', url, headers, body }: OutboundRequest,
  { allowPrivate, resolve: resolveName }: OutboundSettings,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = {
      method,
      agent: false as const,
      signal,
      lookup: checkedLookup(resolveName, allowPrivate),
      autoSelectFamilyAttemptTimeout: TRY_NEXT_ADDRESS_AFTER_MS,
      maxHeaderSize: MOST_HEADER_BYTES,
      headers: { 'user-agent': 'Tocsin', ...headers, 'content-length': String(Buffer.byteLength(body)) },
    };
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(url, options, resolve);
    // Also after the answer: a receiver may hang up before it has read everything.
    request.on('error', reject);
    request.end(body);
  });
}

const askAll: Resolve = (hostname) => askSystem(hostname, { all: true });

export const checkedLookup =
  (resolveName: Resolve | undefined, allowPrivate: boolean): LookupFunction =>
  (hostname, { all }, callback) => {
    const answer = (found: { address: string; family: number }[]) => {
      const [first, ...others] = found.filter(({ address }) => !forbidAddress(address, allowPrivate));
      if (first)
        return all ? callback(null, [first, ...others]) : callback(null, first.address, first.family);
      const failures = found.map(({ address }) => forbidAddress(address, allowPrivate));
      const failure = failures.find((one) => one?.kind === 'private_address') ?? failures[0];
      return callback(failure ? new ForbiddenAddress(failure) : new Error('no address'), '', 0);
    };
    (resolveName ?? askAll)(hostname).then(answer, (error: Error) => callback(error, '', 0));
  };

/** The status is known by then: of a text that breaks off or does not end, the start has to do. */
async function readStart(response: IncomingMessage, mostBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of response) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= mostBytes) break;
    }
  } catch {}
  return Buffer.concat(parts).subarray(0, mostBytes).toString('utf8');
}

export function nameCause(error: unknown): string {
  const { code, errors } = error as { code?: string; errors?: { code?: string }[] };
  return errors?.find((one) => one.code)?.code ?? code ?? 'unknown';
}
