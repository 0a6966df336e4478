// Messages of MQTT, one reading each, from clients as devices have them: to the listener, and through a broker.

import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../src/platform/project-root.ts';
import { findMosquitto, NO_MOSQUITTO, startMosquitto } from '../test/support/mosquitto.ts';
import { findQuietPort } from '../test/support/quiet-ports.ts';
import { cpuOfDatabase, cpuOfEnded, cpuOfProgram } from './cpu.ts';
import { SERVICES } from './ingest.ts';
import { SECRET } from './lab.ts';
import { median } from './load.ts';
import type { MqttOrder, MqttResult } from './mqtt-generator.ts';
import type { Stage } from './stage.ts';
import { startTocsin, stopAll } from './start-tocsin.ts';

const CONNECTIONS = 100;
const ROUNDS = 3;
/** Of each process, for every second that the others take. */
const LINES_PER_SECOND = 50;
const WARM_UP_SECONDS = 2;

export async function measureMqtt({ bench, cluster }: Stage): Promise<void> {
  const [port, metricsPort] = [await findQuietPort(), await findQuietPort()];
  const broker = findMosquitto() ? await startMosquitto() : null;
  if (!broker) process.stderr.write(NO_MOSQUITTO);
  const { child } = await startTocsin({
    ...cluster.env,
    TOCSIN_MQTT_PORT: String(port),
    TOCSIN_METRICS_PORT: String(metricsPort),
    ...(broker && { TOCSIN_MQTT_BROKERS: `${broker.url}?secret=${encodeURIComponent(SECRET)}` }),
  });
  const generator = fork(join(projectRoot, 'build/bench/mqtt-generator.js'));
  const cpu = () =>
    [cpuOfProgram(child.pid ?? 0), cpuOfDatabase(cluster.pid), cpuOfProgram(generator.pid ?? 0)] as const;
  const countTaken = async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return Number(/tocsin_mqtt_message_seconds_count\{outcome="taken"\} (\d+)/.exec(text)?.[1] ?? 0);
  };

  async function measure(
    what: string,
    name: string,
    order: Omit<MqttOrder, 'seconds'>,
    finish: (result: MqttResult, takenBefore: number) => Promise<MqttResult>,
  ): Promise<void> {
    const play = async (seconds: number, leastMessages = 0) => {
      const takenBefore = await countTaken();
      return finish(await drive(generator, { ...order, seconds, leastMessages }), takenBefore);
    };
    // The first time that a device is heard, all of its service is read.
    await play(WARM_UP_SECONDS, SERVICES);
    const before = cpu();
    const rounds: MqttResult[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await play(bench.seconds / ROUNDS));
    const after = cpu();
    const millions = rounds.reduce((sum, { messages }) => sum + messages, 0) / 1_000_000;
    const middle = (pick: (round: MqttResult) => number) => median(rounds.map(pick));
    const perSecond = Math.round(middle(({ messages, seconds }) => messages / seconds));
    bench.figures[`${name}_per_second`] = perSecond;
    bench.rows.push({
      what,
      'readings/s': perSecond,
      'p50 ms': middle(({ p50 }) => p50).toFixed(1),
      'p95 ms': middle(({ p95 }) => p95).toFixed(1),
      'program CPU s/million': ((after[0] - before[0]) / millions).toFixed(1),
      'database CPU s/million': ((after[1] - before[1]) / millions).toFixed(1),
      'generator CPU s/million': ((after[2] - before[2]) / millions).toFixed(1),
      'generator busy': `${Math.round(middle(({ busy }) => busy) * 100)} %`,
    });
    process.stderr.write(`${what}: ${perSecond} readings/s, p95 ${middle(({ p95 }) => p95).toFixed(1)} ms\n`);
  }

  /** Each with as many messages under way as it likes, so nothing is said of how long one takes. */
  async function measureProcesses(): Promise<void> {
    if (spawnSync('mosquitto_pub', ['--help']).error) {
      process.stderr.write(
        'mosquitto_pub is not installed to measure with: apt-get install mosquitto-clients\n',
      );
      return;
    }
    const messages = Math.round(bench.seconds * LINES_PER_SECOND);
    const [before, endedBefore, startedAt] = [cpu(), cpuOfEnded(process.pid), performance.now()];
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => publishLines(port, index, messages)));
    const seconds = (performance.now() - startedAt) / 1_000;
    const [after, endedAfter] = [cpu(), cpuOfEnded(process.pid)];
    const millions = (CONNECTIONS * messages) / 1_000_000;
    const perSecond = Math.round((CONNECTIONS * messages) / seconds);
    const what = `MQTT listener, ${CONNECTIONS} mosquitto_pub, QoS 1, one reading each`;
    bench.figures.mqtt_listener_by_mosquitto_per_second = perSecond;
    bench.rows.push({
      what,
      'readings/s': perSecond,
      'program CPU s/million': ((after[0] - before[0]) / millions).toFixed(1),
      'database CPU s/million': ((after[1] - before[1]) / millions).toFixed(1),
      'generator CPU s/million': ((endedAfter - endedBefore) / millions).toFixed(1),
    });
    process.stderr.write(`${what}: ${perSecond} readings/s\n`);
  }

  try {
    const listener = { url: `mqtt://127.0.0.1:${port}`, password: SECRET, connections: CONNECTIONS };
    await measure(
      `MQTT listener, ${CONNECTIONS} connections, QoS 1, one reading each`,
      'mqtt_listener',
      listener,
      async (result) => result,
    );
    await measureProcesses();
    // What the broker answers says nothing of us: it is over when all that it has was taken from it.
    if (broker)
      await measure(
        'MQTT broker that is followed, 20 messages under way',
        'mqtt_client',
        { url: broker.url, password: '', connections: CONNECTIONS },
        async (result, takenBefore) => {
          const endedAt = performance.now();
          while ((await countTaken()) < takenBefore + result.messages) await sleep(20);
          return { ...result, seconds: result.seconds + (performance.now() - endedAt) / 1_000 };
        },
      );
  } finally {
    generator.disconnect();
    await stopAll([child]);
    await broker?.remove();
  }
}

/** Answered for each of them when the process ends. */
async function publishLines(port: number, index: number, messages: number): Promise<void> {
  const args = `-h 127.0.0.1 -p ${port} -u bench -i p${index} -q 1 -t tocsin/d${index + 1} -l`.split(' ');
  const child = spawn('mosquitto_pub', [...args, '-P', SECRET], { stdio: ['pipe', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  child.stdin.end('{"temperature":-80}\n'.repeat(messages));
  const [code] = await exited;
  if (code !== 0) throw new Error(`mosquitto_pub ended with ${code}`);
}

async function drive(generator: ChildProcess, order: MqttOrder): Promise<MqttResult> {
  generator.send(order);
  const [result] = await Promise.race([
    once(generator, 'message'),
    sleep(1_000 * order.seconds + 180_000).then((): never => {
      throw new Error('The generator does not answer');
    }),
  ]);
  return result as MqttResult;
}
