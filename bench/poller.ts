// Asks for the same thing over and over, in a process of its own. Answers are counted by their length, not read: some are
// large.
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { percentile } from './load.ts';
import type { PollOrder, PollResult } from './poll.ts';

const END_OF_HEAD = '\r\n\r\n';
const STATUS_AT = 'HTTP/1.1 '.length;

process.on('message', async (order: PollOrder) => process.send?.(await poll(order)));
process.on('disconnect', () => process.exit());

async function poll(order: PollOrder): Promise<PollResult> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: order.connections }, () => converse(order, latencies)));
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((one, other) => one - other);
  return { requests: latencies.length, seconds, p95: percentile(latencies, 0.95) };
}

/** One connection, one request at a time. */
function converse({ url, headers, seconds, status }: PollOrder, latencies: number[]): Promise<void> {
  const { hostname, host, port, pathname } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`GET ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const until = performance.now() + seconds * 1000;
  return new Promise((resolve, reject) => {
    let head = '';
    let missing = Number.POSITIVE_INFINITY;
    let sentAt = 0;
    const socket = connect(Number(port), hostname, () => send());
    const send = () => {
      head = '';
      missing = Number.POSITIVE_INFINITY;
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('data', (bytes) => {
      if (missing === Number.POSITIVE_INFINITY) {
        const before = head.length;
        head += bytes.toString('latin1', 0, 2048);
        const end = head.indexOf(END_OF_HEAD);
        if (end < 0) return;
        if (!head.startsWith(status, STATUS_AT)) return reject(new Error(head.slice(0, end)));
        const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? '0';
        missing = end + END_OF_HEAD.length + Number(length) - before;
      }
      missing -= bytes.length;
      if (missing > 0) return;
      latencies.push(performance.now() - sentAt);
      if (performance.now() < until) send();
      else socket.end();
    });
  });
}
