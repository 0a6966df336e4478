// What a group publishes to a real broker: taken by it, and kept for whoever comes later.

import { createServer } from 'node:net';
import mqtt from 'mqtt';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Letter } from '../../src/engine/letters/letter.ts';
import { createWebhookTransport } from '../../src/engine/transports/webhook/webhook.ts';
import { findMosquitto, type Mosquitto, NO_MOSQUITTO, startMosquitto } from '../support/mosquitto.ts';
import { letterOf, NOTICES, PUBLIC_URL } from '../support/notices.ts';
import { findQuietPort } from '../support/quiet-ports.ts';

const now = new Date('2026-11-15T02:05:01Z');
const signal = new AbortController().signal;
const allowing = (allowPrivate: boolean, timeoutMs = 15_000) =>
  createWebhookTransport({ publicUrl: () => PUBLIC_URL, allowPrivate, timeoutMs });
const publish = (url: string, letter: Letter, secret: string | null = null, transport = allowing(true)) =>
  transport.send(letter, { id: 1, kind: 'mqtt', url, secret }, now, signal);

if (!findMosquitto()) process.stderr.write(NO_MOSQUITTO);

describe.skipIf(!findMosquitto())('a broker', () => {
  let broker: Mosquitto;
  beforeAll(async () => {
    broker = await startMosquitto();
  });
  afterAll(() => broker?.remove());

  /** What it keeps, by topic: as somebody finds it who subscribes now. */
  async function readKept(
    filter: string,
  ): Promise<Map<string, { isRetained: boolean; body: Record<string, unknown> }>> {
    const client = await mqtt.connectAsync(broker.url);
    const kept = new Map();
    client.on('message', (topic, payload, { retain }) => {
      if (topic !== END) kept.set(topic, { isRetained: retain, body: JSON.parse(String(payload)) });
    });
    const ended = new Promise<void>((resolve) =>
      client.on('message', (topic) => {
        if (topic === END) resolve();
      }),
    );
    await client.subscribeAsync([filter, END], { qos: 1 });
    // What is kept comes before what is published after the subscription.
    await client.publishAsync(END, '', { qos: 1 });
    await ended;
    await client.endAsync();
    return kept;
  }
  const END = 'end/of/what/is/kept';

  test('keeps the last word on each service', async () => {
    const topic = 'tocsin/Cell Biology/7/alarm';
    expect(await publish(broker.url, letterOf(NOTICES.critical))).toMatchObject({ isSent: true });
    const kept = await readKept('tocsin/#');
    expect([...kept.keys()]).toEqual([topic]);
    expect(kept.get(topic)).toMatchObject({
      isRetained: true,
      body: { service_id: 7, severity: 'critical', kind: 'critical', value: -55.2, limit: -60, mark: null },
    });
    expect(await publish(broker.url, letterOf(NOTICES.recovery))).toMatchObject({ isSent: true });
    expect((await readKept('tocsin/#')).get(topic)?.body).toMatchObject({
      severity: 'normal',
      kind: 'recovery',
    });
  });

  test('keeps no test and no drill', async () => {
    const url = `${broker.url}/tried`;
    for (const mark of ['test', 'drill'] as const)
      expect(await publish(url, letterOf({ ...NOTICES.critical, mark }))).toMatchObject({ isSent: true });
    expect([...(await readKept('tried/#')).keys()]).toEqual([]);
  });

  test('gets topics that hold, whatever an organization is called', async () => {
    const notice = { ...NOTICES.critical, organizationName: 'Cells/+ #1 \u0000' };
    expect(await publish(`${broker.url}/lab/alarms/`, letterOf(notice))).toMatchObject({ isSent: true });
    expect([...(await readKept('lab/#')).keys()]).toEqual(['lab/alarms/Cells__ _1 _/7/alarm']);
  });

  test('that is away is tried again; the message is there when it comes back', async () => {
    const port = await findQuietPort();
    const outcome = await publish(`mqtt://127.0.0.1:${port}`, letterOf(NOTICES.critical));
    expect(outcome).toMatchObject({ isSent: false, isGone: false });
    expect(outcome).toMatchObject({ error: `127.0.0.1:${port} takes no connections (ECONNREFUSED)` });
  });

  test('inside the network is not reached unless that is allowed', async () => {
    expect(await publish(broker.url, letterOf(NOTICES.critical), null, allowing(false))).toMatchObject({
      isSent: false,
      error: '127.0.0.1 is in a private network. TOCSIN_WEBHOOK_PRIVATE=true allows that',
    });
  });

  test('that asks for a password says no without it', async () => {
    const closed = await startMosquitto(['allow_anonymous false']);
    onTestFinished(() => closed.remove());
    expect(await publish(closed.url, letterOf(NOTICES.critical), 'lab:wrong')).toMatchObject({
      isSent: false,
      isRefused: true,
      error: `127.0.0.1:${closed.port} did not let the message in`,
    });
  });
});

test('what listens there and says nothing has its time', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as { port: number };
  const outcome = await publish(
    `mqtt://127.0.0.1:${port}`,
    letterOf(NOTICES.critical),
    null,
    allowing(true, 500),
  );
  expect(outcome).toMatchObject({ isSent: false, error: expect.stringMatching(/gave no answer within 1 s/) });
});
