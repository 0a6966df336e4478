// Prometheus metrics, on a listener of their own: the public interface stays what the contract says.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Log } from './log.ts';
import type { LogOutput } from './log-output.ts';

export interface Metrics {
  registry: Registry;
  observeRequest(labels: { method: string; route: string; status: string }, seconds: number): void;
}

export function createMetrics(logOutput: LogOutput): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'tocsin_http_request_seconds',
    help: 'How long requests took, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  new Counter({
    name: 'tocsin_log_lines_dropped_total',
    help: 'Log lines that were dropped because they could not be written in time',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(logOutput.dropped());
    },
  });
  return { registry, observeRequest: (labels, seconds) => requests.observe(labels, seconds) };
}

export interface Listener {
  url: string;
  close(): Promise<void>;
}

export async function listenForScrapes(
  { registry }: Metrics,
  { host, port }: { host: string; port: number },
  log: Log,
): Promise<Listener> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end();
    try {
      const text = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    } catch (error) {
      log.error({ err: error }, 'metrics could not be collected');
      response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const shownHost = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${shownHost}:${address.port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
