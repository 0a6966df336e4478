// A siren and a lamp on real switches, as far as HTTP goes: how they are told to stand, minute by minute.
import { createHash } from 'node:crypto';
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRelayHolder } from '../../src/engine/relays/hold-relays.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import { HOT, NORMAL, WARM, watchedBy } from '../support/notification-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import {
  answers,
  neverAnswers,
  type ReceivedWebhook,
  startWebhookReceiver,
} from '../support/webhook-receiver.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const openHolder = () =>
  createRelayHolder({
    db: server.db,
    log: pino({ level: 'silent' }),
    // Whatever the name, it is here.
    outbound: { allowPrivate: true, resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
  });

const hold = async () => {
  const holder = openHolder();
  await holder.round(server.clock.read());
  await holder.settle();
};

async function open(
  form: Record<string, string> = {},
  ...behaviours: Parameters<typeof startWebhookReceiver> | []
) {
  const lab = await openLab(server);
  const group = await lab.group({ name: 'Cold team', emails: ['cold@lab.example'] });
  const freezer = await lab.freezer(watchedBy('Cold team'));
  const [first = answers(200), ...others] = behaviours;
  const relay = await startWebhookReceiver(first, ...others);
  const added = await lab.ada.post(`/settings/groups/${group}/add-relay`, {
    relay_url: relay.url,
    switch_id: '0',
    ...form,
  });
  expect(added.status).toBe(303);
  /** Every five seconds, as the program does it. */
  const live = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += seconds(5)) {
      server.clock.advance(seconds(5));
      await hold();
    }
  };
  return { lab, group, freezer, relay, live };
}

const wordsOf = (received: ReceivedWebhook[]) =>
  received.map(({ text }) => {
    const { on, toggle_after: after } = JSON.parse(text) as { on: boolean; toggle_after?: number };
    return `${on ? 'on' : 'off'}${after === undefined ? '' : ` for ${after} s`}`;
  });

const acknowledge = (lab: Lab, id: number) => lab.oscar.post(`/api/v1/alarms/${id}/acknowledge`);

describe('a siren', () => {
  test('sounds while nobody has acknowledged, is told so every minute, and stops', async () => {
    const { lab, freezer, relay, live } = await open();
    await live(seconds(10));
    expect(relay.received[0]?.path).toBe('/rpc/Switch.Set');
    expect(wordsOf(relay.received)).toEqual(['off']);
    await freezer.reads(HOT);
    await live(minutes(3));
    expect(wordsOf(relay.received).slice(1)).toEqual(['on for 120 s', 'on for 120 s', 'on for 120 s']);
    await acknowledge(lab, freezer.id);
    await live(seconds(5));
    expect(wordsOf(relay.received).at(-1)).toBe('off');
  });

  test('is not for warnings, nor for what is muted', async () => {
    const { lab, freezer, relay, live } = await open();
    await freezer.reads(WARM);
    await live(seconds(5));
    await lab.oscar.post(`/api/v1/services/${freezer.id}/mute`);
    await freezer.reads(HOT);
    await live(minutes(1));
    expect(new Set(wordsOf(relay.received))).toEqual(new Set(['off']));
  });

  test('that cannot be told is shown, and tried again', async () => {
    const { lab, group, freezer, relay, live } = await open({}, answers(500), answers(500), answers(200));
    await freezer.reads(HOT);
    await live(seconds(10));
    expect(await (await lab.ada.get(`/settings/groups/${group}`)).text()).toContain('answered 500');
    await live(seconds(5));
    expect(wordsOf(relay.received)).toEqual(['on for 120 s', 'on for 120 s', 'on for 120 s']);
    expect(await (await lab.ada.get(`/settings/groups/${group}`)).text()).not.toContain('answered 500');
  });
});

test('as a dead man’s switch it is quiet only as long as it is told so', async () => {
  const { freezer, relay, live } = await open({ dead_man: 'yes' });
  await live(minutes(2));
  expect(new Set(wordsOf(relay.received))).toEqual(new Set(['off for 120 s']));
  await freezer.reads(HOT);
  await live(seconds(5));
  expect(wordsOf(relay.received).at(-1)).toBe('on');
  await freezer.reads(NORMAL);
  await live(seconds(5));
  expect(wordsOf(relay.received).at(-1)).toBe('off for 120 s');
});

test('a switch with a password is answered by its challenge', async () => {
  const { relay, live } = await open({ relay_password: 'geheim' }, (response, { headers }) => {
    if (headers.authorization === undefined) {
      response.setHeader(
        'www-authenticate',
        'Digest qop="auth", realm="shelly", nonce="60", algorithm=SHA-256',
      );
      return void response.writeHead(401).end();
    }
    response.writeHead(200).end('{}');
  });
  await live(seconds(5));
  const [, authorization = ''] = relay.received.map(({ headers }) => String(headers.authorization ?? ''));
  const read = (name: string) => new RegExp(`${name}="?([^",]+)`).exec(authorization)?.[1];
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const expected = hash(
    `${hash('admin:shelly:geheim')}:60:00000001:${read('cnonce')}:auth:${hash('POST:/rpc/Switch.Set')}`,
  );
  expect(read('response')).toBe(expected);
  expect(wordsOf(relay.received)).toEqual(['off', 'off']);
});

test('the lab file says which sirens and lamps a group has', async () => {
  const lab = await openLab(server);
  const apply = (relays: Record<string, unknown>[]) => lab.group({ name: 'Cold team', relays });
  const read = (groupId: number) =>
    server.db.query(sql`
      select url, switch_id as switch, password, dead_man as "deadMan" from relay where group_id = ${groupId} order by id`);
  const siren = { url: 'http://10.0.0.7', switch: 0, password: null, deadMan: false };
  const groupId = await apply([{ url: 'http://10.0.0.7/' }]);
  expect(await read(groupId)).toEqual([siren]);
  await apply([
    { url: 'http://10.0.0.7', password: 'geheim', dead_man: true },
    { url: 'http://10.0.0.7', switch: 1 },
  ]);
  const changed = { ...siren, password: 'geheim', deadMan: true };
  expect(await read(groupId)).toEqual([changed, { ...siren, switch: 1 }]);
  await apply([{ url: 'http://10.0.0.7' }]);
  expect((await read(groupId))[0]).toEqual(changed);
  await expect(apply([{ url: 'http://10.0.0.7/relay?x=1' }])).rejects.toThrow('without a path');
});

describe('beside sirens of another organization', () => {
  /** So many of them, on names of their own. */
  async function openHostile(count: number, ...given: Parameters<typeof startWebhookReceiver>) {
    const lab = await openLab(server);
    const receiver = await startWebhookReceiver(...given);
    const { port } = new URL(receiver.url);
    const relays = Array.from({ length: count }, (_, index) => ({
      url: `http://siren-${index}.example:${port}`,
      password: 'geheim',
    }));
    await lab.group({ name: 'Loud team', relays });
    return receiver;
  }

  test('that do not answer, one is told while they are waited for', async () => {
    const { freezer, relay } = await open();
    await hold();
    const hostile = await openHostile(50, neverAnswers);
    const holder = openHolder();
    await holder.round(server.clock.read());
    await expect.poll(() => hostile.received.length).toBeGreaterThan(0);
    expect(hostile.received.length).toBeLessThanOrEqual(16);
    await freezer.reads(HOT);
    server.clock.advance(seconds(5));
    await holder.round(server.clock.read());
    await expect.poll(() => wordsOf(relay.received)).toEqual(['off', 'on for 120 s']);
    expect(hostile.received.length).toBeLessThanOrEqual(16);
    await holder.settle();
  });

  test('that answer with a long challenge, each is asked once, and has its turn', async () => {
    const { relay } = await open();
    const long = { 'www-authenticate': `Digest ${'a'.repeat(15_000)}` };
    const hostile = await openHostile(50, answers(401, '', long));
    const asked = () => new Set(hostile.received.map(({ headers }) => headers.host)).size;
    for (const most of [16, 32, 48, 50]) {
      await hold();
      expect(asked()).toBe(most);
      server.clock.advance(seconds(5));
    }
    expect(hostile.received).toHaveLength(64);
    expect(wordsOf(relay.received)).toEqual(['off']);
  });
});

test('an organization has fifty, by its page and by its file', async () => {
  const lab = await openLab(server);
  const relays = Array.from({ length: 50 }, (_, index) => ({ url: `http://10.0.0.${index}` }));
  const groupId = await lab.group({ name: 'Cold team', relays });
  await expect(lab.group({ name: 'Warm team', relays: [{ url: 'http://10.0.1.1' }] })).rejects.toThrow(
    'at most 50 sirens and lamps',
  );
  const added = await lab.ada.post(`/settings/groups/${groupId}/add-relay`, {
    relay_url: 'http://10.0.1.1',
    switch_id: '0',
  });
  expect(added.status).toBe(422);
  expect(await added.text()).toContain(
    'An organization has at most 50 sirens and lamps: remove one that is not needed.',
  );
});
