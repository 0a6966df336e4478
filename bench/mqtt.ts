// Messages of MQTT, one reading each, from clients as devices have them: to the listener, and through a broker.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../src/platform/project-root.ts';
import { findFreePort, findMosquitto, NO_MOSQUITTO, startMosquitto } from '../test/support/mosquitto.ts';
import { cpuOfDatabase, cpuOfProgram } from './cpu.ts';
import { SECRET } from './lab.ts';
import { median } from './load.ts';
import type { MqttOrder, MqttResult } from './mqtt-generator.ts';
import type { Stage } from './stage.ts';
import { startTocsin, stopAll } from './start-tocsin.ts';

const CONNECTIONS = 100;
const ROUNDS = 3;
const WARM_UP_SECONDS = 2;

export async function measureMqtt({ bench, cluster }: Stage): Promise<void> {
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  const broker = findMosquitto() ? await startMosquitto() : null;
  if (!broker) process.stderr.write(NO_MOSQUITTO);
  const { child } = await startTocsin({
    ...cluster.env,
    TOCSIN_MQTT_PORT: String(port),
    TOCSIN_METRICS_PORT: String(metricsPort),
    ...(broker && { TOCSIN_MQTT_BROKERS: `${broker.url}?secret=${encodeURIComponent(SECRET)}` }),
  });
  const generator = fork(join(projectRoot, 'build/bench/mqtt-generator.js'));
  const cpu = () => [cpuOfProgram(child.pid ?? 0), cpuOfDatabase(cluster.pid)] as const;
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
    const play = async (seconds: number) => {
      const takenBefore = await countTaken();
      return finish(await drive(generator, { ...order, seconds }), takenBefore);
    };
    await play(WARM_UP_SECONDS);
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
      'generator busy': `${Math.round(middle(({ busy }) => busy) * 100)} %`,
    });
    process.stderr.write(`${what}: ${perSecond} readings/s, p95 ${middle(({ p95 }) => p95).toFixed(1)} ms\n`);
  }

  try {
    const listener = { url: `mqtt://127.0.0.1:${port}`, password: SECRET, connections: CONNECTIONS };
    await measure(
      `MQTT listener, ${CONNECTIONS} connections, QoS 1, one reading each`,
      'mqtt_listener',
      listener,
      async (result) => result,
    );
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

async function drive(generator: ChildProcess, order: MqttOrder): Promise<MqttResult> {
  generator.send(order);
  const [result] = await Promise.race([
    once(generator, 'message'),
    sleep(1_000 * order.seconds + 60_000).then((): never => {
      throw new Error('The generator does not answer');
    }),
  ]);
  return result as MqttResult;
}
