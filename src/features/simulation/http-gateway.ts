// A gateway as they stand in laboratories: packs its readings, sends them, and tries again until they are taken.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { Gateway, Receipt, SimulatedReading } from './gateway.ts';

const pack = promisify(gzip);

const TIMEOUT_MS = 30_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

export interface HttpGatewayDeps {
  sleep(ms: number): Promise<void>;
  say(line: string): void;
  signal: AbortSignal;
}

export function httpGateway(
  { sleep, say, signal }: HttpGatewayDeps,
  { url, secret }: { url: URL; secret: string },
): Gateway {
  const address = new URL(`${url.pathname.replace(/\/$/, '')}/api/v1/telemetry`, url);
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  };
  return {
    async send(readings) {
      const body = await pack(JSON.stringify(readings.map(toSent)));
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
        const answer = await post(address, { body, headers, signal });
        if (answer !== 'again') return answer;
        if (signal.aborted) return refuse('Stopped before the server answered');
        say(`${address.origin} does not take the readings; the next try is in ${pauseMs / 1000} s.`);
        await sleep(pauseMs);
      }
    },
  };
}

const toSent = ({ device, at, values }: SimulatedReading) => ({ device, time: at, values });

async function post(
  address: URL,
  {
    body,
    headers,
    signal,
  }: { body: Uint8Array<ArrayBuffer>; headers: Record<string, string>; signal: AbortSignal },
): Promise<Result<Receipt, string> | 'again'> {
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(address, { method: 'POST', body, headers, signal: limited });
    const answer = await response.text();
    if (response.ok) return ok(JSON.parse(answer) as Receipt);
    if (response.status >= 500 || response.status === 429) return 'again';
    return refuse(`${address.href} answered ${response.status}: ${answer.slice(0, 300)}`);
  } catch {
    return 'again';
  }
}
