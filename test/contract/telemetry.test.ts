// Contract, Telemetry.
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { STORY_BEGINS_AT } from '../support/movable-clock.ts';
import { listStored } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
});

const send = (body: BodyInit, headers: Record<string, string> = {}) => lab.send(body, headers);
const readingsOf = (serviceId: number) => listStored(server.db, serviceId);
const at = (text: string) => new Date(text);

describe('who may hand in telemetry', () => {
  test('a source, by its secret', async () => {
    const freezer = await lab.freezer();
    const answer = await freezer.reads(-80);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
  });

  test('nobody without one: 401 Authentication required', async () => {
    for (const authorization of ['', 'Basic abc']) {
      const answer = await send('{}', { authorization });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(await answer.json()).toEqual({ detail: 'Authentication required' });
    }
  });

  test('nobody with a wrong one: 401 Could not validate credentials', async () => {
    const answer = await send('{}', { authorization: 'Bearer wrong' });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ detail: 'Could not validate credentials' });
  });

  test('a source that was removed is refused at its next post', async () => {
    const freezer = await lab.freezer();
    await freezer.reads(-80);
    await server.db.query(sql`delete from source where organization_id = ${lab.organization}`);
    const answer = await freezer.reads(-80);
    expect(answer.status).toBe(401);
  });

  test('a secret that the lab file replaced is refused at its next post, and the new one counts', async () => {
    const freezer = await lab.freezer();
    await freezer.reads(-80);
    const next = `${lab.secret}-next`;
    await lab.replaceSecret(next);
    expect((await freezer.reads(-80)).status).toBe(401);
    const body = JSON.stringify({ device: freezer.device, values: { humidity: 40 } });
    const answer = await lab.send(body, { authorization: `Bearer ${next}` });
    expect(await answer.json()).toMatchObject({ accepted: 1 });
  });

  test('a secret opens nothing else, and a token no telemetry', async () => {
    const headers = { authorization: `Bearer ${lab.secret}` };
    expect((await fetch(`${server.url}/api/v1/auth/me`, { headers })).status).toBe(401);
    expect((await lab.ada.post('/api/v1/telemetry')).status).toBe(401);
  });

  test('another organization cannot write to ours', async () => {
    const freezer = await lab.freezer();
    const other = await openLab(server);
    const answer = await other.post([
      { device: freezer.device, values: { temperature: 0 } },
      { service_id: freezer.id, values: { temperature: 0 } },
    ]);
    expect(await answer.json()).toEqual({
      accepted: 0,
      duplicates: 0,
      rejected: [
        { index: 0, reason: 'Unknown device' },
        { index: 1, reason: 'Unknown service' },
      ],
    });
    expect(await readingsOf(freezer.id)).toEqual([]);
  });
});

describe('what is handed in', () => {
  test('one object or an array, by device or service, in ISO, milliseconds or now', async () => {
    const freezer = await lab.freezer();
    await lab.post({ device: freezer.device.toUpperCase(), values: { temperature: -80 } });
    await lab.post([
      { service_id: freezer.id, time: '2026-11-15T02:00:00', values: { temperature: -81, door: false } },
      { device: freezer.device, time: STORY_BEGINS_AT.getTime() - 60_000, values: { temperature: -82 } },
    ]);
    expect(await readingsOf(freezer.id)).toEqual([
      { name: 'door', at: at('2026-11-15T02:00:00Z'), value: 0 },
      { name: 'temperature', at: at('2026-11-15T02:00:00Z'), value: -81 },
      { name: 'temperature', at: at('2026-11-15T02:59:00Z'), value: -82 },
      { name: 'temperature', at: at('2026-11-15T03:00:00Z'), value: -80 },
    ]);
  });

  test('an empty array is fine', async () => {
    expect(await (await lab.post([])).json()).toEqual({ accepted: 0, duplicates: 0, rejected: [] });
  });

  test('one bad entry never costs a good one', async () => {
    const freezer = await lab.freezer();
    const archived = await lab.freezer({ archived: true });
    const good = { device: freezer.device, values: { temperature: -80 } };
    const answer = await lab.post([
      7,
      good,
      { device: 'stranger', values: { temperature: 1 } },
      { device: archived.device, values: { temperature: 1 } },
      { ...good, time: '2020-01-01T00:00:00Z' },
      { ...good, time: '2026-11-15T03:10:00.001Z' },
      { ...good, values: { temperature: '7', humidity: 40 } },
    ]);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      accepted: 2,
      duplicates: 0,
      rejected: [
        { index: 0, reason: 'An entry must be an object' },
        { index: 2, reason: 'Unknown device' },
        { index: 3, reason: 'The service is archived' },
        { index: 4, reason: 'Older than 400 days' },
        { index: 5, reason: 'time is more than 10 minutes in the future' },
        { index: 6, reason: 'values.temperature: not a number' },
      ],
    });
  });

  test('where all that was not taken waits to be adopted, the answer says so first', async () => {
    const stranger = { device: 'stranger', values: { temperature: -80, door: false } };
    const answer = await lab.post(stranger);
    expect([answer.status, await answer.text()]).toEqual([
      200,
      JSON.stringify({
        waiting: 2,
        note: 'Nothing is wrong: 2 readings wait until somebody adopts their device, under Settings, Devices.',
        accepted: 0,
        duplicates: 0,
        rejected: [{ index: 0, reason: 'Unknown device' }],
      }),
    ]);
    const freezer = await lab.freezer();
    const known = { device: freezer.device, values: { temperature: -80 } };
    expect(await (await lab.post([known, { ...stranger, values: { door: true } }])).json()).toMatchObject({
      waiting: 1,
      note: expect.stringMatching(/^Nothing is wrong: 1 reading waits until somebody adopts its device/),
      accepted: 1,
    });
    const bad = { ...stranger, values: { temperature: 'cold' } };
    for (const posted of [[known], [stranger, bad], [stranger, { service_id: 1, values: { t: 1 } }]])
      expect(await (await lab.post(posted)).json()).not.toHaveProperty('waiting');
  });

  test('half a character is no key and no name, and costs nothing else', async () => {
    const freezer = await lab.freezer();
    const answer = await lab.send(
      `[{"device":"\\ud800","values":{"temperature":1}},
        {"device":"${freezer.device}","values":{"temperature":-80,"\\udc00":1}}]`,
    );
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      accepted: 1,
      duplicates: 0,
      rejected: [
        { index: 0, reason: 'device must be a key in text' },
        { index: 1, reason: 'values.\ufffd: not a channel name' },
      ],
    });
  });

  test('the same channel and time twice: the first is kept', async () => {
    const freezer = await lab.freezer();
    const time = '2026-11-15T02:00:00Z';
    const answer = await freezer.sends(
      { time, values: { temperature: -80 } },
      { time, values: { temperature: -50 } },
    );
    expect(await answer.json()).toEqual({ accepted: 1, duplicates: 1, rejected: [] });
    expect(await readingsOf(freezer.id)).toEqual([{ name: 'temperature', at: at(time), value: -80 }]);
  });

  test('a reading ahead of the clock that comes again when its time has come is a duplicate', async () => {
    const freezer = await lab.freezer();
    const ahead = { time: server.clock.read().getTime() + 60_000, values: { temperature: -80 } };
    expect(await (await freezer.sends(ahead)).json()).toMatchObject({ accepted: 1 });
    server.clock.advance(120_000);
    expect(await (await freezer.sends(ahead)).json()).toMatchObject({ accepted: 0, duplicates: 1 });
  });

  test('an unknown channel joins the catalogue, its kind guessed', async () => {
    const freezer = await lab.freezer();
    await freezer.sends({ values: { humidity: 40, door: true, battery: 3.1, setpoint: -80 } });
    const channels = await server.db.query(sql`
      select name, kind from channel where service_id = ${freezer.id} order by name`);
    expect(channels).toEqual([
      { name: 'battery', kind: 'diagnostic' },
      { name: 'door', kind: 'state' },
      { name: 'humidity', kind: 'metric' },
      { name: 'setpoint', kind: 'setpoint' },
      { name: 'temperature', kind: 'metric' },
    ]);
  });

  test('an unknown device is remembered once, and works as soon as it is adopted', async () => {
    const entry = { device: 'Stranger-1', values: { temperature: -80 } };
    await lab.post([entry, { ...entry, device: 'STRANGER-1' }]);
    const devices = await server.db.query(sql`
      select key, service_id, first_seen_at is not null as "isSeen" from device where organization_id = ${lab.organization}`);
    expect(devices).toEqual([{ key: 'Stranger-1', service_id: null, isSeen: true }]);
    await lab.apply({ name: 'Adopted', device: { key: 'stranger-1' } });
    expect(await (await lab.post(entry)).json()).toMatchObject({ accepted: 1, rejected: [] });
  });

  test('a device that moves to another service takes its readings there at once', async () => {
    const freezer = await lab.freezer({ key: 'old' });
    await freezer.reads(-80);
    await lab.apply({ key: 'old', name: 'Old', device: { key: 'spare' } });
    const heir = await lab.apply({ name: 'Heir', device: { key: freezer.device } });
    await freezer.reads(-70);
    expect(await readingsOf(heir)).toMatchObject([{ value: -70 }]);
    expect(await readingsOf(freezer.id)).toMatchObject([{ value: -80 }]);
  });
});

describe('the body', () => {
  test('may be gzipped', async () => {
    const freezer = await lab.freezer();
    const body = gzipSync(JSON.stringify({ device: freezer.device, values: { temperature: -80 } }));
    expect(await (await send(body, { 'content-encoding': 'gzip' })).json()).toMatchObject({ accepted: 1 });
  });

  test.each([
    [400, 'The request body is not valid JSON', '{"device":', {}],
    [400, 'The request body is not valid JSON', '', {}],
    [400, 'The request body is not valid JSON', 'plain', { 'content-encoding': 'gzip' }],
    [415, 'Telemetry is JSON: send it as application/json', 'a=1', { 'content-type': 'text/plain' }],
    [415, 'Content-Encoding may be gzip or none', '{}', { 'content-encoding': 'br' }],
    [413, 'A post may hold at most 10000 entries', `[${Array(10_001).fill('{}').join(',')}]`, {}],
  ])('%i %s', async (status, detail, body, headers) => {
    const answer = await send(body, headers as Record<string, string>);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ detail });
  });

  test('413: more than 16 MiB, also when it unpacks to that', async () => {
    const huge = Buffer.alloc(16 * 1024 * 1024 + 1, ' ');
    expect((await send(new Uint8Array(huge))).status).toBe(413);
    const bomb = await send(new Uint8Array(gzipSync(huge)), { 'content-encoding': 'gzip' });
    expect(bomb.status).toBe(413);
    expect(await bomb.json()).toEqual({ detail: 'Request body too large' });
  });

  test('422: JSON that is neither an object nor an array', async () => {
    const answer = await send('7');
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ detail: [{ loc: ['body', ''] }] });
  });
});

describe('there is an end to everything', () => {
  const many = (count: number, prefix = 'channel') =>
    Object.fromEntries(Array.from({ length: count }, (_, number) => [`${prefix} ${number}`, number]));

  test('413: a post may hold 100,000 readings', async () => {
    const { device } = await lab.freezer();
    const body = JSON.stringify(Array(201).fill({ device, values: many(500) }));
    const answer = await send(gzipSync(body), { 'content-encoding': 'gzip' });
    expect([answer.status, await answer.json()]).toEqual([
      413,
      { detail: 'A post may hold at most 100000 readings' },
    ]);
  });

  test('413: an entry may take 256 kB', async () => {
    const { device } = await lab.freezer();
    const answer = await send(JSON.stringify([{ device, values: {}, note: 'x'.repeat(300_000) }]));
    expect([answer.status, await answer.json()]).toEqual([
      413,
      { detail: 'An entry may take at most 256 kB' },
    ]);
  });

  test('a service has 200 channels; what it knows is taken, what is new is rejected by name', async () => {
    const freezer = await lab.freezer();
    await freezer.sends({ values: many(199) });
    server.clock.advance(1000);
    const answer = await freezer.sends({ values: { ...many(2), temperature: -80, more: 7 } });
    expect(await answer.json()).toEqual({
      accepted: 3,
      duplicates: 0,
      rejected: [{ index: 0, reason: 'values.more: the service has 200 channels already' }],
    });
    expect(await (await freezer.sends({ values: { more: 7 } })).json()).toMatchObject({ accepted: 0 });
  });

  const unknownDevices = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, number) => ({ device: `${prefix}-${number}`, values: { t: 1 } }));
  const listWaiting = async () =>
    (
      await server.db.query<{ key: string }>(
        sql`select key from device where organization_id = ${lab.organization} and service_id is null`,
      )
    ).map(({ key }) => key);

  test('a source brings 60 unknown devices in a minute, and is told of more; another one has its own 60', async () => {
    await lab.post(unknownDevices('new', 59));
    const answer = (await (
      await lab.post([...unknownDevices('new', 1), ...unknownDevices('newer', 2)])
    ).json()) as { rejected: { reason: string }[] };
    expect(answer.rejected.map(({ reason }) => reason)).toEqual([
      'Unknown device',
      'Unknown device',
      'Unknown device, and not remembered yet: 60 new ones came within a minute',
    ]);
    expect(await listWaiting()).toHaveLength(60);
    await lab.organizationEntry({ sources: [{ name: 'other', secret: `${lab.secret}-other` }] });
    await lab.send(JSON.stringify(unknownDevices('others', 2)), {
      authorization: `Bearer ${lab.secret}-other`,
    });
    expect(await listWaiting()).toHaveLength(62);
    server.clock.advance(60_001);
    await lab.post(unknownDevices('newer', 2));
    expect(await listWaiting()).toContain('newer-1');
  });

  test('an organization remembers 1,000 unknown devices; who was not heard for the longest time makes room', async () => {
    const seenAt = (minutes: number) => new Date(server.clock.read().getTime() - minutes * 60_000);
    await server.db.query(sql`
      insert into device (organization_id, key, first_seen_at, last_seen_at, created_at)
      select ${lab.organization}, 'waiting-' || n, ${seenAt(5000)},
        ${seenAt(0)}::timestamptz - make_interval(mins => n), ${seenAt(5000)} from generate_series(1, 1000) n`);
    await server.db.query(sql`
      insert into device (organization_id, key, created_at) values (${lab.organization}, 'by hand', ${seenAt(5000)})`);
    await lab.post([{ device: 'waiting-1000', values: { t: 1 } }, ...unknownDevices('new', 2)]);
    const known = await listWaiting();
    expect(known).toHaveLength(1_001);
    for (const key of ['by hand', 'new-0', 'new-1', 'waiting-1000', 'waiting-997'])
      expect(known).toContain(key);
    for (const key of ['waiting-998', 'waiting-999']) expect(known).not.toContain(key);
  });

  test('an answer tells of 1,000 rejections, in few words, and how many more there were', async () => {
    const { device } = await lab.freezer();
    const wrong = { device, values: { [`${'long '.repeat(20)}name`]: 'wrong' } };
    const answer = (await (await lab.post([...Array(1_500).fill(wrong)])).json()) as { rejected: unknown[] };
    expect(answer).toMatchObject({ accepted: 0, duplicates: 0, rejected_omitted: 500 });
    expect(answer.rejected).toHaveLength(1_000);
    expect(answer.rejected.at(-1)).toEqual({
      index: 999,
      reason: `values.${'long '.repeat(12)}…: not a number`,
    });
  });

  test('a large post is judged in the order of its times, however it is sent', async () => {
    const freezer = await lab.freezer({
      limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60, sustained: 30 } } }],
    });
    const now = server.clock.read().getTime();
    // Newest first: warm for the last hour, cold before.
    const readings = Array.from({ length: 5_000 }, (_, second) => ({
      time: now - second * 1000,
      values: { temperature: second < 3_600 ? -40 : -80 },
    }));
    expect(await (await freezer.sends(...readings)).json()).toMatchObject({ accepted: 5_000, rejected: [] });
    expect(await lab.alarms()).toMatchObject([{ service_id: freezer.id, severity: 'critical' }]);
    expect(await (await freezer.sends(...readings)).json()).toMatchObject({ accepted: 0, duplicates: 5_000 });
  });
});

test('posts that arrive together all count, each answered for itself', async () => {
  const freezers = await Promise.all([lab.freezer(), lab.freezer(), lab.freezer()]);
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const freezer = freezers[index % 3];
      const time = STORY_BEGINS_AT.getTime() - index * 1000;
      return (await freezer?.sends({ time, values: { temperature: -80 } }))?.json();
    }),
  );
  expect(answers).toEqual(Array(60).fill({ accepted: 1, duplicates: 0, rejected: [] }));
});

describe('a connection that has handed in readings is answered as any other', () => {
  const ask = (agent: Agent, body: string) =>
    new Promise<object>((resolve, reject) => {
      const headers = { authorization: `Bearer ${lab.secret}`, 'content-type': 'application/json' };
      const asked = request(
        `${server.url}/api/v1/telemetry`,
        { method: 'POST', headers, agent },
        async (got) => {
          const { date, 'x-request-id': id, ...rest } = got.headers;
          resolve({ status: got.statusCode, headers: { ...rest, hasId: id?.length }, body: await text(got) });
        },
      );
      asked.on('error', reject).end(body);
    });
  const openConnection = () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    return agent;
  };

  test.each([
    ['a reading', '{"device":"long","values":{"humidity":5}}'],
    ['one that was there', '{"device":"long","time":"2026-06-01T00:00:00Z","values":{"temperature":5}}'],
    ['an unknown device', '{"device":"nobody","values":{"temperature":5}}'],
    ['a value that is none', '[{"device":"long","values":{"temperature":"cold"}}]'],
    ['no JSON', '{"device"'],
    ['no object', '5'],
    ['an empty list', '[]'],
    ['too many entries', `[${'1,'.repeat(10_001)}1]`],
  ])('%s', async (_, body) => {
    await lab.freezer({ device: { key: 'long' } });
    const first = '{"device":"long","time":"2026-06-01T00:00:00Z","values":{"temperature":5}}';
    const known = openConnection();
    await ask(known, first);
    const answer = await ask(openConnection(), body);
    server.clock.advance(1000);
    expect(await ask(known, body)).toEqual(answer);
  });
});
