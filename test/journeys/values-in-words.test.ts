import { beforeAll, describe, expect, test } from 'vitest';
import { selectKeptMails } from '../../src/engine/mail/kept-mail.ts';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { type DeliveryDesk, openDeliveryDesk } from '../support/delivery-desk.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import { textOf } from '../support/page.ts';
import { settled } from '../support/settled-delivery.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';

const CHANNELS = [
  { name: 'temperature', label: 'Temperature', unit: '°C', kind: 'metric' },
  { name: 'door', label: 'Door', kind: 'state' },
];
const LIMITS = [
  { channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } },
  { channel: 'door', bands: { WARNING_HIGH: { limit: 0.5 } } },
];
const TOLD = { group: 'Cold team', send_critical: true, send_warning: true, send_recoveries: true };

let server: TestServer;
let desk: DeliveryDesk;
let ada: VisitorBrowser;
let cold: Unit;
let open: Unit;

interface Unit {
  id: number;
  reads(values: Record<string, number | boolean>): Promise<unknown>;
}

async function makeUnit(name: string, channels: object[] = CHANNELS): Promise<Unit> {
  const { lab } = desk;
  const service = { name, location: 'Room 101', device: { key: name }, stale_after_minutes: 0 };
  const id = await lab.apply({ ...service, channels, limits: LIMITS, notifications: TOLD });
  return { id, reads: (values) => lab.post([{ device: name, time: server.clock.read().getTime(), values }]) };
}

beforeAll(async () => {
  server = await startServer();
  desk = await openDeliveryDesk(server);
  ada = await signedIn(server, desk.lab.ada);
  cold = await makeUnit('Freezer A');
  open = await makeUnit('Freezer B');
  await cold.reads({ temperature: -55.2, door: false });
  await open.reads({ temperature: -80, door: true });
  server.clock.advance(minutes(1));
});

const read = async (path: string) => textOf(await ada.read(path));

describe('pages', () => {
  test('the alarms page speaks of an open door and of a true minus', async () => {
    const text = await read('/');
    expect(text).toContain('−55.2 °C now Temperature −55.2 °C is above the critical limit of −60 °C');
    expect(text).toContain('open now Door open');
    expect(text).not.toMatch(/-\d/);
  });

  test('so does the list of services', async () => {
    expect(await read('/services')).toMatch(/Temperature −80 °C Door open/);
  });

  test('and the page of a service: headline, reasons, values, limits and their history', async () => {
    const text = await read(`/services/${open.id}`);
    expect(text).toMatch(/Door open since today \d\d:\d\d/);
    expect(text).toContain('Temperature −80 °C is within its limits');
    expect(text).toMatch(/Warning high when open/);
    expect(text).toMatch(/Critical high −60 °C/);
    expect(text).toContain('Warning high: none → when open');
  });

  test('the chart has the words beside it, and its drawing too', async () => {
    const html = await ada.read(`/services/${open.id}?channel=door`);
    expect(html).toContain('aria-label="Door: open, last open"');
    expect(textOf(html)).toContain('Warning when open');
    const answer = await ada.open(`/services/${open.id}/series?channel=door`);
    expect(await answer.json()).toMatchObject({ words: { off: 'closed', on: 'open' }, mean: [1] });
  });

  test('the form keeps numbers that programs read', async () => {
    const html = await ada.read(`/services/${cold.id}?edit_channel=temperature`);
    expect(html).not.toMatch(/value="−/);
    const form = await ada.read(`/services/${cold.id}`);
    expect(form).not.toMatch(/ (value|data-[a-z]+)="[^"]*−/);
  });

  test('the wall shows the word', async () => {
    const page = await (await ada.send('/settings/wall/create', { name: 'Corridor' })).text();
    const text = textOf(await ada.read(/href="(\/wall\/[\w-]+)"/.exec(page)?.[1] ?? ''));
    expect(text).toMatch(/Freezer B open Door/);
    expect(text).toMatch(/Freezer A −55.2 °C/);
  });
});

test('programs read numbers and the plain sign', async () => {
  const alarms = await desk.lab.alarms();
  expect(alarms.map(({ message }) => message)).toEqual([
    'Temperature -55.2 °C is above the critical limit of -60 °C',
    'Door 1 is above the warning limit of 0.5',
  ]);
  const csv = await (await ada.open(`/services/${cold.id}/readings.csv?channel=temperature`)).text();
  expect(csv).toContain(',temperature,-55.2,°C');
  const doors = await (await ada.open(`/services/${open.id}/readings.csv?channel=door`)).text();
  expect(doors).toContain(',door,1,');
});

test('mails and chats speak like the pages, webhooks for programs like the interface', async () => {
  const { db } = server;
  const email = createEmailTransport({
    mailer: openMailer({ settings: settled(), db }),
  });
  const program = desk.hire({ transports: { ...desk.postbox.transports, email } });
  await desk.strike(seconds(3), program);
  await desk.strike(seconds(3), program);
  await open.reads({ door: false });
  await desk.strike(seconds(3), program);
  await desk.strike(seconds(3), program);
  const subjects = (await selectKeptMails(db, [desk.lab.organization], 10)).map(({ subject }) => subject);
  expect(subjects.toSorted()).toEqual([
    'CRITICAL Freezer A (Room 101): Temperature −55.2 °C is above the critical limit of −60 °C',
    'RECOVERED Freezer B (Room 101): Back to normal: Door closed',
    'WARNING Freezer B (Room 101): Door open',
  ]);
});

test('a probe that does not measure is told of in words, on every page and in mails', async () => {
  const unit = await makeUnit('Freezer E');
  await unit.reads({ temperature: -80, door: false });
  server.clock.advance(minutes(1));
  await desk.lab.post({ device: 'Freezer E', values: { temperature: null, door: false } });
  server.clock.advance(minutes(5));
  await server.road.sweep(server.clock.read());
  expect(await read('/')).toContain('Probe of temperature not measuring');
  const page = await read(`/services/${unit.id}`);
  expect(page).toMatch(/Probe of temperature not measuring since today/);
  expect(page).toMatch(/Warning high when not measuring/);
  expect(page).toContain('Preset by Tocsin');
  const walls = await (await ada.send('/settings/wall/create', { name: 'Hall' })).text();
  const wall = textOf(await ada.read(/href="(\/wall\/[\w-]+)"/.exec(walls)?.[1] ?? ''));
  expect(wall).toMatch(/Freezer E not measuring Probe of temperature/);
  const email = createEmailTransport({
    mailer: openMailer({ settings: settled(), db: server.db }),
  });
  const program = desk.hire({ transports: { ...desk.postbox.transports, email } });
  await desk.strike(seconds(3), program);
  await desk.strike(seconds(3), program);
  await unit.reads({ temperature: -80 });
  await desk.strike(seconds(3), program);
  await desk.strike(seconds(3), program);
  const mails = await selectKeptMails(server.db, [desk.lab.organization], 20);
  expect(mails.map(({ subject }) => subject).filter((subject) => subject.includes('Freezer E'))).toEqual([
    'RECOVERED Freezer E (Room 101): Back to normal: Probe of temperature measuring',
    'WARNING Freezer E (Room 101): Probe of temperature not measuring',
  ]);
});

describe('the words can be chosen', () => {
  test('in the lab file', async () => {
    const ajar = [{ name: 'door', label: 'Door', kind: 'state', off_word: 'shut', on_word: 'ajar' }];
    const unit = await makeUnit('Freezer C', [CHANNELS[0] as object, ...ajar]);
    await unit.reads({ door: true });
    expect(await read(`/services/${unit.id}`)).toContain('Door ajar');
    await server.clock.advance(minutes(1));
    await makeUnit('Freezer C', [CHANNELS[0] as object, { ...ajar[0], off_word: null, on_word: null }]);
    expect(await read(`/services/${unit.id}`)).toContain('Door open');
  });

  test('on the page of channels', async () => {
    const { lab } = desk;
    const unit = await makeUnit('Freezer D');
    await unit.reads({ door: true });
    const page = await ada.read(`/settings/channels?service=${unit.id}`);
    expect(page).toContain('placeholder="closed"');
    expect(page).toContain('placeholder="open"');
    const [, id = ''] = /id="off_word-(\d+)"/.exec(page) ?? [];
    const form = { channel_id: id, label: 'Door', unit: '', kind: 'state', off_word: 'zu', on_word: ' auf ' };
    const sent = await ada.send(`/settings/channels/save?organization=${lab.organization}`, form);
    expect(sent.status).toBe(303);
    expect(await read(`/services/${unit.id}`)).toContain('Door auf');
    const tooLong = await ada.send(
      `/settings/channels/save?organization=${lab.organization}&service=${unit.id}`,
      {
        ...form,
        on_word: 'x'.repeat(41),
      },
    );
    expect(tooLong.status).toBe(422);
    expect(await tooLong.text()).toContain('A word has at most 40 characters.');
  });
});
