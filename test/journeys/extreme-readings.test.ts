// A broken sensor sends the largest numbers there are. Its alarm is the one that must be told.
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { readConfig } from '../../src/platform/config.ts';
import { type DeliveryDesk, openDeliveryDesk } from '../support/delivery-desk.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { settled } from '../support/settled-delivery.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';
import { packAll } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

const EXTREMES = [1.7e308, 1.7e308, -1.7e308, -1.7e308, -Number.MAX_VALUE, 5e-324, Number.MAX_VALUE];

let server: TestServer;
let desk: DeliveryDesk;
beforeAll(async () => {
  server = await startServer();
  desk = await openDeliveryDesk(server);
});

/** All of them within one step of the curve, up to now. */
const sendExtremes = (device: string) =>
  desk.lab.post(
    EXTREMES.map((temperature, index) => ({
      device,
      time: server.clock.read().getTime() - (EXTREMES.length - 1 - index) * seconds(1),
      values: { temperature },
    })),
  );

async function mailOf(device: string) {
  const receiver = await openSmtpReceiver();
  const mailer = openMailer({ settings: settled(readConfig({ SMTP_URL: receiver.url })), db: server.db });
  onTestFinished(() => mailer.close());
  const transports = { ...desk.postbox.transports, email: createEmailTransport({ mailer }) };
  expect((await sendExtremes(device)).status).toBe(200);
  await desk.decide();
  await desk.strike(seconds(3), desk.hire({ transports }));
  return receiver.mail(1);
}

test('it is told by mail, with its curve', async () => {
  const freezer = await desk.freezer();
  const mail = await mailOf(freezer.device);
  expect(mail.subject).toContain('CRITICAL');
  expect(mail.text).not.toMatch(/NaN|Infinity/);
  expect(mail.attachments).toMatchObject([{ contentType: 'image/png' }]);
});

test('so it is once its readings are packed', async () => {
  const freezer = await desk.freezer();
  const endsAt = server.clock.read().getTime();
  await desk.lab.post(
    [3, 2, 1].map((ago) => ({
      device: freezer.device,
      time: endsAt - minutes(ago),
      values: { temperature: 1.7e308 },
    })),
  );
  server.clock.advance(hours(2));
  await packAll(server.db, server.clock.read());
  const mail = await mailOf(freezer.device);
  expect(mail.text).not.toMatch(/NaN|Infinity/);
  expect(mail.attachments).toMatchObject([{ contentType: 'image/png' }]);
});

test('pages, charts, lists and exports show it', async () => {
  const freezer = await desk.freezer();
  await sendExtremes(freezer.device);
  server.clock.advance(hours(3));
  await packAll(server.db, server.clock.read());
  await sendExtremes(freezer.device);
  const { vera } = desk.lab;
  const page = `/services/${freezer.id}`;
  for (const path of [
    page,
    `${page}?range=1h`,
    `${page}?range=30d`,
    `${page}/series?channel=temperature&range=6h`,
    `${page}/readings.csv?range=24h`,
    '/services',
    '/',
    '/api/v1/alarms',
  ]) {
    const answer = await vera.get(path);
    const text = await answer.text();
    expect({ path, status: answer.status }).toEqual({ path, status: 200 });
    expect({ path, odd: /.{0,40}(NaN|Infinity|null,null).{0,20}/.exec(text)?.[0] }).toEqual({ path });
  }
});

test('a deviation from a tiny setpoint is as large as a number can be, and told', async () => {
  const { lab } = desk;
  const id = await lab.apply({
    name: 'Incubator',
    device: { key: 'incubator' },
    channels: [
      { name: 'co2', label: 'CO₂', unit: '%', kind: 'metric' },
      { name: 'wanted', unit: '%', kind: 'setpoint' },
    ],
    limits: [
      {
        channel: 'co2',
        is_percentage: true,
        setpoint_channel: 'wanted',
        bands: { CRITICAL_HIGH: { limit: 20 } },
      },
    ],
    notifications: { group: 'Cold team', send_critical: true },
  });
  await lab.post({ device: 'incubator', values: { wanted: 1e-300, co2: 1.7e308 } });
  await desk.decide();
  await desk.strike(seconds(3));
  const notice = desk.postbox.arrivals.at(-1)?.letter.notices[0];
  expect(notice).toMatchObject({ serviceId: id, subject: 'critical', value: 1.7e308 });
  expect(notice?.message).toContain('is 1.7976931348623157e+308 % above its setpoint');
});
