// A LoRaWAN probe from its first message to the night on which somebody pulls it out: it appears, is adopted with a template,
// brings its curve along, breaks, and people are told in words.
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { readConfig } from '../../src/platform/config.ts';
import { type DeliveryDesk, openDeliveryDesk } from '../support/delivery-desk.ts';
import { minutes } from '../support/movable-clock.ts';
import { settled } from '../support/settled-delivery.ts';
import { startSmtpReceiver } from '../support/smtp-receiver.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';
import { whenFileIsDone } from '../support/when-file-is-done.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const EUI = '24e124710c141579';
/** As ChirpStack posts it; the probe says 3276.7 when it is not connected. */
const uplink = async ({ lab }: DeliveryDesk, temperature: number | null) => {
  const answer = await fetch(`${server.url}/api/v1/telemetry/chirpstack?event=up`, {
    method: 'POST',
    headers: { authorization: `Bearer ${lab.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      deduplicationId: crypto.randomUUID(),
      time: server.clock.read().toISOString(),
      deviceInfo: { deviceProfileName: 'Milesight EM500-PT100', deviceName: 'Probe 3', devEui: EUI },
      fPort: 85,
      object: { temperature, battery: 97 },
      rxInfo: [{ gatewayId: '0016c001f153a14c', rssi: -36, snr: 10.5 }],
    }),
  });
  expect(answer.status).toBe(200);
};

test('an unknown probe appears, is adopted, brings its curve along, is pulled out, and people hear of it', async () => {
  const smtp = await startSmtpReceiver();
  const config = readConfig({ SMTP_URL: smtp.url, MAIL_FROM: 'Tocsin <tocsin@lab.example>' });
  const mailer = openMailer({ settings: settled(config), db: server.db });
  whenFileIsDone(async () => {
    await mailer.close();
    await smtp.close();
  });
  const desk = await openDeliveryDesk(server, { emails: ['cold@lab.example'] });
  const deliverer = desk.hire({
    transports: { ...desk.postbox.transports, email: createEmailTransport({ mailer }) },
  });
  await desk.lab.source({ kind: 'chirpstack' });
  const ada = await signedIn(server, desk.lab.ada);

  // It appears.
  for (let message = 0; message < 10; message += 1) {
    await uplink(desk, -80 + message / 10);
    server.clock.advance(minutes(10));
  }
  const list = await ada.read('/settings/devices');
  expect(list).toMatch(new RegExp(`${EUI}.*Milesight EM500-PT100.*Not adopted.*−79\\.1`, 's'));
  const [device] = await server.db.query<{ id: number }>(sql`select id from device where key = ${EUI}`);
  const home = `/settings/devices/${device?.id}`;

  // It is adopted: the template as it is proposed, by the form as it comes.
  const form = readForm(await ada.read(home));
  expect(form).toMatchObject({
    uplink_interval_minutes: '15',
    c0_channel: 'temperature',
    c0_template: 'freezer-80',
  });
  const adopted = await ada.send(`${home}/new-service`, {
    ...form,
    name: 'Freezer 3',
    notification_group_id: String(desk.groupId),
  });
  const page = (adopted.headers.get('location') ?? '').replace(/\?.*/, '');
  expect(page).toMatch(/^\/services\/\d+$/);
  const series = await (await ada.open(`${page}/series?channel=temperature&range=24h`)).json();
  expect(JSON.stringify(series)).toContain('-79.1');
  expect(await ada.read(page)).toMatch(/<path class="curve-line" d="M[^"]*L/);

  // It goes on well, and nobody is told.
  await uplink(desk, -79.5);
  await desk.strike(minutes(10), deliverer);
  await uplink(desk, -79.6);
  expect(smtp.mails).toEqual([]);

  // Somebody pulls it out, and the battery is told as ever.
  for (let message = 0; message < 5; message += 1) {
    await desk.strike(minutes(10), deliverer);
    await uplink(desk, message === 0 ? null : 3276.7);
    await server.road.sweep(server.clock.read());
  }
  await desk.strike(minutes(1), deliverer);
  const [warning, critical] = smtp.mails;
  expect([warning?.to_, warning?.subject]).toEqual([
    ['cold@lab.example'],
    expect.stringContaining('Freezer 3'),
  ]);
  for (const mail of [warning, critical]) expect(mail?.text).toContain('Probe of temperature not measuring');
  expect(critical?.subject).toContain('CRITICAL');

  // The page, the list and the wall say it in words.
  const words = 'Probe of temperature not measuring';
  expect(await ada.read(page)).toContain(words);
  expect(await ada.read('/')).toContain(words);
  expect(await ada.read('/services')).toContain('Probe of temperature</dt><dd>not measuring');
  const link = await (await ada.send('/settings/wall/create', { name: 'Corridor' })).text();
  const wall = await fetch(server.url + (/href="(\/wall\/[\w-]+)"/.exec(link)?.[1] ?? ''));
  expect(await wall.text()).toContain('not measuring <span class="wall-channel">Probe of temperature</span>');
});

/** What a browser would send if nobody changed anything. */
function readForm(html: string): Record<string, string> {
  const found = /<form[^>]*new-service[^>]*>([\s\S]*?)<\/form>/.exec(html)?.[1] ?? '';
  const inputs = [...found.matchAll(/<input\b[^>]*>/g)].map(([tag]) => [
    /\bname="([^"]*)"/.exec(tag)?.[1] ?? '',
    /\bvalue="([^"]*)"/.exec(tag)?.[1] ?? '',
  ]);
  const selects = [...found.matchAll(/<select\b[^>]*\bname="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g)].map(
    ([, name, options]) => [name, /<option value="([^"]*)" selected/.exec(options ?? '')?.[1] ?? ''],
  );
  return Object.fromEntries([...inputs, ...selects].filter(([name]) => name !== ''));
}
