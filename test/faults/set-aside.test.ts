// What ends the program and comes again by itself, because a sender, a broker, a storage or a queue brings it again: it does so
// twice, then it is set aside, named, and everything else goes on. Real programs, that really die of it.

import { fileURLToPath } from 'node:url';
import mqtt from 'mqtt';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import { applyLabFile } from '../../src/features/lab-file/apply-lab-file.ts';
import { untilBegunTimes, urlsOf } from '../support/kept-program.ts';
import { runCommand, startServing } from '../support/program.ts';
import { findQuietPort } from '../support/quiet-ports.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { answers, startWebhookReceiver } from '../support/webhook-receiver.ts';

const PRELOADED = fileURLToPath(new URL('../support/die-of-a-word.cjs', import.meta.url));
const SECRETS = {
  gateway: 'the secret of the gateway',
  mapped: 'the secret of the mapped',
  tts: 'the secret of the tts',
};
const MAPPING = { device: '/device', values: { temperature: '/temperature' } };

/** `freeing`: what a dead program has in hand is free again when the next one begins, and not some minutes later. */
async function startLab(storageUrl = 'http://127.0.0.1:9', freeing = 'null') {
  const { db, url } = await cloneDatabase();
  await db.transaction((tx) =>
    tx.run(`
      create function free() returns trigger language plpgsql as $$ begin ${freeing}; return null; end $$;
      create trigger free after insert on program_end for each row execute function free()`),
  );
  const storage = { url: storageUrl, application: 'cold-room', key: 'NNSXS.SECRET' };
  const lab = {
    organizations: [
      {
        name: 'Cell Biology',
        sources: [
          { name: 'gateway', secret: SECRETS.gateway },
          { name: 'mapped', secret: SECRETS.mapped, kind: 'json', settings: { mapping: MAPPING } },
          { name: 'tts', secret: SECRETS.tts, kind: 'tts', settings: { storage } },
        ],
        services: [{ name: 'Freezer 1', device: { key: 'freezer-1' } }],
      },
    ],
  };
  const input = { text: JSON.stringify(lab), fileName: 'lab.yaml', isDryRun: false };
  expect(await applyLabFile(db, COMMAND_LINE, input, new Date())).toMatchObject({ ok: true });
  const mqttPort = await findQuietPort();
  const settings = {
    DATABASE_URL: url,
    TOCSIN_RESTART: 'true',
    TOCSIN_MQTT_PORT: String(mqttPort),
    TOCSIN_WEBHOOK_PRIVATE: 'true',
    NODE_OPTIONS: `--require=${PRELOADED}`,
    SMTP_URL: 'smtp://127.0.0.1:9',
  };
  const serving = await startServing(settings);
  const send = (path: string, secret: string, body: unknown) =>
    fetch(`${urlsOf(serving).at(-1)}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const doctor = async () => JSON.parse((await runCommand(['doctor', '--json'], settings)).stdout).findings;
  return {
    db,
    serving,
    mqttPort,
    send,
    idOf: async (source: string) =>
      (await db.query<{ id: number }>(sql`select id from source where name = ${source}`))[0]?.id,
    /** The words of the finding. */
    listSetAside: async (): Promise<string> =>
      (await doctor()).find(({ name }: { name: string }) => name === 'set_aside')?.trouble ?? 'nothing',
    /** Programs may have died before they said where they listen. */
    untilSetAside: async () => {
      const count = async () => (await db.query(sql`select 1 from set_aside`)).length;
      await expect.poll(count, { timeout: 60_000 }).toBe(1);
      const ask = () => fetch(`${urlsOf(serving).at(-1)}/health`).then(({ status }) => status, String);
      await expect.poll(ask, { timeout: 60_000 }).toBe(200);
    },
    /** On the page of the source. */
    expectNoted: async (source: string) => {
      const list = () =>
        db.query(
          sql`select reason from source_refusal join source on source.id = source_id where name = ${source}`,
        );
      await expect.poll(list).toEqual([{ reason: expect.stringContaining('ended the program twice') }]);
    },
    expectToGoOn: async () => {
      const one = { device: 'freezer-1', values: { temperature: -80 } };
      expect((await send('/api/v1/telemetry', SECRETS.gateway, one)).status).toBe(200);
    },
  };
}

/** Sent again each time until it is answered, as gateways do. */
test.each([
  ['a post', 'gateway', '/api/v1/telemetry', { device: 'deadly', values: { temperature: 1 } }],
  [
    'a large post',
    'gateway',
    '/api/v1/telemetry',
    [
      ...Array.from({ length: 1_000 }, (_, index) => ({
        device: `freezer-${index}`,
        values: { temperature: index, what: 'is long enough to be read a piece at a time' },
      })),
      { device: 'deadly', values: { temperature: 1 } },
    ],
  ],
  ['what a mapping reads', 'mapped', '/api/v1/telemetry/json', { device: 'deadly', temperature: 1 }],
] as const)(
  '%s that ends the program twice is refused in words the third time',
  async (_, source, path, body) => {
    const lab = await startLab();
    for (const times of [1, 2]) {
      await untilBegunTimes(lab.serving, times);
      await expect(lab.send(path, SECRETS[source], body)).rejects.toThrow();
    }
    await untilBegunTimes(lab.serving, 3);
    const refused = await lab.send(path, SECRETS[source], body);
    expect([refused.status, await refused.json()]).toEqual([
      400,
      {
        detail: expect.stringMatching(
          /^This post ended the program twice while it was read, and is set aside: /,
        ),
      },
    ]);
    expect(await lab.listSetAside()).toMatch(
      new RegExp(`: post of source ${await lab.idOf(source)} [0-9a-f]{16}$`),
    );
    await lab.expectNoted(source);
    await lab.expectToGoOn();
  },
);

test.each([
  ['a message', 'tocsin/freezer-1', { temperature: 1, deadly: 2 }, 'post'],
  [
    'an announcement',
    'homeassistant/sensor/one/config',
    { name: 'deadly', state_topic: 'one' },
    'announcement',
  ],
])(
  '%s of MQTT that ends the program twice is answered the third time, and noted at its source',
  async (_, topic, body, kind) => {
    const lab = await startLab();
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${lab.mqttPort}`, {
      password: SECRETS.gateway,
      username: 'gateway',
      reconnectPeriod: 100,
      clean: false,
      clientId: 'gateway',
    });
    client.on('error', () => {});
    onTestFinished(() => void client.end(true));
    await client.publishAsync(topic, JSON.stringify(body), { qos: 1 });
    await lab.untilSetAside();
    expect(await lab.listSetAside()).toMatch(
      new RegExp(`: ${kind} of source ${await lab.idOf('gateway')} [0-9a-f]{16}$`),
    );
    await lab.expectNoted('gateway');
    await lab.expectToGoOn();
  },
);

test('a message of a storage that ends the program twice is passed over, and the next one is taken', async () => {
  const messages = ['deadly', 'harmless'].map((id, index) => ({
    end_device_ids: { device_id: id },
    received_at: new Date(Date.now() - 3_600_000 + index * 1_000).toISOString(),
    uplink_message: { decoded_payload: { temperature: 1 } },
  }));
  const storage = await startWebhookReceiver(
    answers(200, messages.map((result) => JSON.stringify({ result })).join('\n')),
  );
  const lab = await startLab(storage.url, 'update source_catch_up set claimed_until = next_at');
  await lab.untilSetAside();
  const listWaiting = () => lab.db.query(sql`select key from device where service_id is null`);
  await expect.poll(listWaiting, { timeout: 30_000 }).toEqual([{ key: 'harmless' }]);
  expect(await lab.listSetAside()).toMatch(
    new RegExp(`: post of source ${await lab.idOf('tts')} [0-9a-f]{16}$`),
  );
  await lab.expectToGoOn();
});

test('advice that ends the program twice is answered with the reason', async () => {
  const lab = await startLab(undefined, 'update recommendation set leased_until = requested_at');
  await lab.expectToGoOn();
  const [request] = await lab.db.query<{ id: string }>(sql`
    insert into recommendation (service_id, state, requested_by_id, requested_by_name, requested_at)
    select id, 'pending', 1, 'Ada', ${new Date()} from service returning id`);
  await lab.untilSetAside();
  const read = () =>
    lab.db.query(sql`select state, failure_reason as "reason" from recommendation where id = ${request?.id}`);
  await expect
    .poll(read, { timeout: 30_000 })
    .toEqual([{ state: 'failed', reason: `advice ${request?.id} is set aside: it ended the program twice` }]);
  expect(await lab.listSetAside()).toBe(
    `Set aside, because it ended the program twice: advice ${request?.id}`,
  );
});

test('a siren whose answer ends the program twice is not asked any more, and says why', async () => {
  const siren = await startWebhookReceiver(
    answers(401, '', {
      'www-authenticate': 'Digest qop="auth", realm="deadly realm", nonce="1", algorithm=SHA-256',
    }),
  );
  const lab = await startLab(undefined, 'update relay set leased_until = null');
  const [relay] = await lab.db.query<{ id: number }>(sql`
    with made as (
      insert into notification_group (organization_id, name, created_at)
      select id, 'Cold team', ${new Date()} from organization returning id)
    insert into relay (group_id, url, password, created_at)
    select id, ${siren.url}, 'hush-hush', ${new Date()} from made returning id`);
  await lab.untilSetAside();
  expect(await lab.listSetAside()).toBe(`Set aside, because it ended the program twice: siren ${relay?.id}`);
  const readError = () => lab.db.query(sql`select last_error as "error" from relay`);
  await expect
    .poll(readError, { timeout: 30_000 })
    .toEqual([{ error: `siren ${relay?.id} is set aside: it ended the program twice` }]);
  await lab.expectToGoOn();
});
