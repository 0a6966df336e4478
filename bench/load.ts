import { Agent, request } from 'node:http';

export interface LoadResult {
  requests: number;
  seconds: number;
  /** Milliseconds from request to answer, sorted. */
  latencies: number[];
}

export const percentile = (sorted: number[], share: number) =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;

export interface Target {
  url: string;
  headers: Record<string, string>;
}

function post(
  agent: Agent,
  { url, headers }: Target,
  body: Buffer,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent,
        headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Each connection sends its next post as soon as the last one is answered. */
export async function drive(
  target: Target,
  connections: number,
  seconds: number,
  nextBody: (connection: number) => Buffer,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      while (performance.now() < endsAt) {
        const sentAt = performance.now();
        const { status, text } = await post(agent, target, nextBody(connection));
        if (status !== 200) throw new Error(`${status} ${text}`);
        latencies.push(performance.now() - sentAt);
      }
    }),
  );
  agent.destroy();
  const elapsed = (performance.now() - startedAt) / 1000;
  return { requests: latencies.length, seconds: elapsed, latencies: latencies.sort((a, b) => a - b) };
}
