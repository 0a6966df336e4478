import type { Browser } from 'playwright-core';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { enrolProgram } from '../../src/engine/self-watch/programs.ts';
import { expectReadable, launchBrowser, openWindow, test, WINDOWS } from '../support/browser.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let browser: Browser;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
});
beforeEach(async () => {
  lab = await openLab(server);
});

/** A source with something that came and something that was refused; answers with its page. */
async function furnish(
  kind: string,
  settings: Record<string, unknown>,
  body: unknown = { sensorMessages: [{ sensorID: '10001', dataValue: '-112|3.3', batteryLevel: '100' }] },
): Promise<string> {
  await lab.source({ kind, settings });
  const [source] = await server.db.query<{ id: number }>(sql`
    update source set last_seen_at = ${server.clock.read()}, last_body = ${Buffer.from(JSON.stringify(body))}
    where organization_id = ${lab.organization} returning id`);
  await server.db.query(sql`
    insert into source_refusal (source_id, reason, count, last_at, sample)
    values (${source?.id}, 'has no tag device, dev_eui, name, host that names the device', 214, ${server.clock.read()},
      ${Buffer.from('cpu,cpu=cpu-total usage_idle=98.7,usage_system=0.4,usage_user=0.9 1794711540000000000')})
    on conflict do nothing`);
  return `/settings/sources/${source?.id}`;
}

const UPLINK = { deviceInfo: { devEui: 'a84041' }, fPort: 2, data: '4LI=' };
const CODEC = `function decodeUplink(input) {
  return { data: { temperature: ((input.bytes[0] << 24 >> 16) | input.bytes[1]) / 100 } };
}`;

describe.each(WINDOWS)('on a %s', (size) => {
  test('the page of a source can be read by everybody', async () => {
    const page = await openWindow(browser, server, lab.ada, { size });
    await page.goto(await furnish('influx', { units: { temperature: '°F' }, invert: ['contact'] }));
    await expectReadable(page, 'source-influx');
    await page.goto(await furnish('json', {}));
    await expectReadable(page, 'source-json');
    await page.goto(await furnish('chirpstack', { codec: CODEC }, UPLINK));
    await expectReadable(page, 'source-codec');
    await page.goto(await furnish('mqtt', {}));
    await page.getByText('No program listens for MQTT yet.').waitFor();
    await expectReadable(page, 'source-mqtt-off');
    const program = enrolProgram(server.db, ['mqtt'], server.clock.read());
    program.listensForMqtt(['mqtt://127.0.0.1:1883', 'mqtts://0.0.0.0:8883']);
    await program.beat(server.clock.read());
    await page.reload();
    await page.getByText('-p 8883 --capath').waitFor();
    await expectReadable(page, 'source-mqtt');
    await program.leave();
    await page.goto(await furnish('chirpstack', { codec: CODEC }, UPLINK));
    await page.getByLabel('More, in the words of a lab file').fill('units: [');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('These settings were not saved.').waitFor();
    await expectReadable(page, 'source-refused');
    await page.goto('/settings/sources');
    await page.getByText('Something was refused').waitFor();
    await expectReadable(page, 'sources-refused');
  });
});

test('what is refused stands on an open page at once, and what somebody reads there stays open', async () => {
  const [source] = await server.db.query<{ id: number }>(
    sql`select id from source where organization_id = ${lab.organization}`,
  );
  const send = (body: string) =>
    fetch(`${server.url}/api/v1/telemetry/influx/write`, {
      method: 'POST',
      body,
      headers: { authorization: `Token ${lab.secret}` },
    });
  const page = await openWindow(browser, server, lab.ada);
  await page.goto(`/settings/sources/${source?.id}`);
  const refused = page.locator('section', { has: page.getByRole('heading', { name: 'What was refused' }) });
  await refused.getByText('Nothing. Whatever was refused would be listed here').waitFor();
  await send('m,device=d temperature=warm');
  await refused.getByText('field temperature: "warm" is no value once').waitFor();
  await refused.getByText('What came').click();
  await refused.getByText('m,device=d temperature=warm').waitFor();
  await send('m,device=e temperature=warm');
  await refused.getByText('field temperature: "warm" is no value 2 times').waitFor();
  expect(await refused.getByText('m,device=d temperature=warm').isVisible()).toBe(true);
  await send('m t=1');
  await refused.getByText('that names the device').waitFor();
  await expectReadable(page, 'source-refusals');
  await refused.getByRole('button', { name: 'Forget these' }).click();
  await refused.getByText('Nothing. Whatever was refused would be listed here').waitFor();
});

test('what a mapping makes of the last body is shown while it is typed', async () => {
  const page = await openWindow(browser, server, lab.ada);
  await page.goto(await furnish('json', {}));
  await page.getByText('the source has no mapping yet').waitFor();
  const settings = page.getByLabel('More, in the words of a lab file');
  await settings.fill('mapping: { each: /sensorMessages/*, device: /sensorID }');
  await page.getByText('It makes no reading of it.').waitFor();
  await settings.fill(
    'mapping: { each: /sensorMessages/*, device: /sensorID, values: { temperature: { path: /dataValue, part: ["|", 0], number: true, from: °F } } }',
  );
  await page.getByText('10001 · temperature: -80').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. It counts from the next post on.').waitFor();
  expect(await page.getByText('10001 · temperature: -80').count()).toBe(1);
});

test('what a codec makes of the last payload is shown while it is typed', async () => {
  const page = await openWindow(browser, server, lab.ada);
  await page.goto(await furnish('chirpstack', {}, UPLINK));
  await page.getByText('has no object').first().waitFor();
  const codec = page.getByLabel('Codec');
  await codec.fill('function decodeUplink() { for (;;); }');
  await page.getByText('The codec fails: it takes longer than 50 ms').waitFor();
  await codec.fill(CODEC);
  await page.getByText('a84041 · temperature: -80.14').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. It counts from the next post on.').waitFor();
  expect(await page.getByLabel('Codec').inputValue()).toBe(CODEC);
});
