// Sends posts over plain sockets, in a process of its own: what sending costs must not be what is measured.
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { type LoadOrder, type LoadResult, percentile } from './load.ts';
import { makePosts, type PostFormat, type PostMaker } from './posts.ts';

const END_OF_HEAD = '\r\n\r\n';
const STATUS_AT = 'HTTP/1.1 '.length;
const ALL_STORED = '"duplicates":0,"rejected":[]}';

interface Tally {
  latencies: number[];
  failures: Record<string, number>;
}

const makers = new Map<string, PostMaker>();
let isOver = false;

process.on('message', async (order: LoadOrder | 'stop') => {
  isOver = order === 'stop';
  if (order === 'stop') return;
  const maker = makers.get(order.name) ?? makePosts(order.posts, headOf(order));
  makers.set(order.name, maker);
  process.send?.('ready');
  process.send?.(await generate(order, maker));
});
process.on('disconnect', () => process.exit());

const TYPES: Record<PostFormat, Record<string, string>> = {
  json: { 'content-type': 'application/json' },
  influx: { 'content-type': 'text/plain' },
  prometheus: { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' },
};

function headOf({ url, headers, posts: { format = 'json' } }: LoadOrder): string {
  const { host, pathname, search } = new URL(url);
  const lines = Object.entries({ host, ...headers, ...TYPES[format] });
  return `POST ${pathname}${search} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}`;
}

async function generate(order: LoadOrder, maker: PostMaker): Promise<LoadResult> {
  const tally: Tally = { latencies: [], failures: {} };
  const before = performance.eventLoopUtilization();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: order.connections }, () => converse(order, maker, tally)));
  const seconds = (performance.now() - startedAt) / 1000;
  const busy = performance.eventLoopUtilization(before).utilization;
  const { failures } = tally;
  const latencies = tally.latencies.sort((one, other) => one - other);
  const at = (share: number) => percentile(latencies, share);
  return { requests: latencies.length, seconds, busy, failures, p50: at(0.5), p95: at(0.95), longest: at(1) };
}

/** One connection: a post leaves for every answer that comes, so that so many are always under way. */
function converse({ url, pipelined }: LoadOrder, maker: PostMaker, tally: Tally): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sentAt: number[] = [];
    let heard = '';
    const socket = connect(Number(port), hostname, () => {
      for (let count = 0; count < pipelined; count += 1) send();
    });
    const send = () => {
      sentAt.push(performance.now());
      socket.write(maker.next());
    };
    socket.setNoDelay().setEncoding('latin1');
    socket.on('error', reject);
    socket.on('close', () => (sentAt.length > 0 ? reject(new Error('The server hung up')) : resolve()));
    socket.on('data', (text: string) => {
      heard += text;
      // What leaves at once leaves together.
      socket.cork();
      for (let end = endOfAnswer(heard); end > 0; end = endOfAnswer(heard)) {
        const fault = findFault(heard, end);
        if (fault) tally.failures[fault] = (tally.failures[fault] ?? 0) + 1;
        heard = heard.slice(end);
        tally.latencies.push(performance.now() - (sentAt.shift() ?? Number.NaN));
        if (!isOver) send();
      }
      socket.uncork();
      if (sentAt.length === 0) socket.end();
    });
  });
}

const findFault = (heard: string, end: number): string | null => {
  if (hasNoBody(heard)) return null;
  if (!heard.startsWith('200', STATUS_AT)) return heard.slice(STATUS_AT, STATUS_AT + 3);
  return heard.endsWith(ALL_STORED, end) ? null : 'not stored';
};

/** InfluxDB says so when all lines were taken. */
const hasNoBody = (heard: string): boolean => heard.startsWith('204', STATUS_AT);

/** Where the first answer ends; 0 while it is not whole. */
function endOfAnswer(heard: string): number {
  const endOfHead = heard.indexOf(END_OF_HEAD);
  if (endOfHead < 0) return 0;
  const length = hasNoBody(heard) ? '0' : /\r\ncontent-length: (\d+)/i.exec(heard)?.[1];
  if (length === undefined) throw new Error(`An answer without its length: ${heard.slice(0, endOfHead)}`);
  const end = endOfHead + END_OF_HEAD.length + Number(length);
  return heard.length < end ? 0 : end;
}
