// Devices that publish one reading after the other, in a process of their own.
import { performance } from 'node:perf_hooks';
import mqtt, { type MqttClient } from 'mqtt';
import { SERVICES } from './ingest.ts';
import { percentile } from './load.ts';

export interface MqttOrder {
  url: string;
  password: string;
  connections: number;
  seconds: number;
  /** Longer, if it takes that to say so much. */
  leastMessages?: number;
}

export interface MqttResult {
  messages: number;
  seconds: number;
  busy: number;
  p50: number;
  p95: number;
}

process.on('message', async (order: MqttOrder) => process.send?.(await generate(order)));
process.on('disconnect', () => process.exit());

async function generate({
  url,
  password,
  connections,
  seconds,
  leastMessages = 0,
}: MqttOrder): Promise<MqttResult> {
  const clients = await Promise.all(
    Array.from({ length: connections }, (_, index) =>
      mqtt.connectAsync(url, { clientId: `d${index}`, username: 'bench', password }),
    ),
  );
  const latencies: number[] = [];
  const before = performance.eventLoopUtilization();
  const startedAt = performance.now();
  const endsAt = startedAt + 1_000 * seconds;
  const converse = async (client: MqttClient, index: number) => {
    let device = index;
    while (performance.now() < endsAt || latencies.length < leastMessages) {
      device = (device + connections) % SERVICES;
      const at = performance.now();
      await client.publishAsync(`tocsin/d${device + 1}`, '{"temperature":-80}', { qos: 1 });
      latencies.push(performance.now() - at);
    }
  };
  await Promise.all(clients.map(converse));
  const took = (performance.now() - startedAt) / 1_000;
  const busy = performance.eventLoopUtilization(before).utilization;
  await Promise.all(clients.map((client) => client.endAsync()));
  latencies.sort((one, other) => one - other);
  return {
    messages: latencies.length,
    seconds: took,
    busy,
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
  };
}
