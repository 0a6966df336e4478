// Whatever is sent to people, by every way, in a language without a letter of English.
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { AccountMailKind } from '../../src/engine/accounts/queue-account-mail.ts';
import { sendAccountMails } from '../../src/engine/accounts/send-account-mails.ts';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { PERSON_KINDS } from '../../src/engine/providers/providers.ts';
import { sayLetter } from '../../src/engine/providers/record/message.ts';
import { remind } from '../../src/engine/reminders/remind.ts';
import { sendReminders } from '../../src/engine/reminders/send-reminders.tsx';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { readConfig } from '../../src/platform/config.ts';
import { openDeliveryDesk } from '../support/delivery-desk.ts';
import { LONG, MADE_UP_LETTER, speakMadeUp } from '../support/made-up-language.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { openFinder } from '../support/plain-english.ts';
import { settled } from '../support/settled-delivery.ts';
import { openSmtpReceiver, type ReceivedMail } from '../support/smtp-receiver.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

const PUBLIC_URL = 'https://tocsin.lab.example';
/** `1234 NO` answers an SMS, in every language. */
const TYPED = ['on my way', 'being mended', 'Mia', '1234 NO'];

let server: TestServer;
beforeAll(async () => {
  speakMadeUp(LONG);
  server = await startServer();
});

async function openHouse() {
  const receiver = await openSmtpReceiver();
  const mailer = openMailer({ settings: settled(readConfig({ SMTP_URL: receiver.url })), db: server.db });
  onTestFinished(() => mailer.close());
  const desk = await openDeliveryDesk(server, { emails: ['cold@lab.example'] });
  const { lab, groupId, postbox } = desk;
  await lab.organizationEntry({
    groups: [{ name: 'Cold team', accounts: [lab.vera.email, lab.oscar.email, lab.ada.email] }],
    rotas: [
      {
        name: 'Nights',
        timezone: 'Europe/Berlin',
        handover: '08:00',
        members: [lab.oscar.email, lab.ada.email],
      },
    ],
  });
  await server.db.query(sql`update account set language = ${LONG}`);
  await server.db.query(sql`update organization set language = ${LONG}`);
  await server.db.query(sql`update notification_group set language = ${LONG} where id = ${groupId}`);
  const program = desk.hire({
    transports: { ...postbox.transports, email: createEmailTransport({ mailer }) },
  });
  const strike = async (ms = seconds(3)) => {
    await desk.strike(ms, program);
    await desk.strike(seconds(3), program);
  };
  const deps = { db: server.db, mailer, log: pino({ level: 'silent' }), publicUrl: () => PUBLIC_URL };
  return { desk, lab, receiver, strike, deps };
}

/** Of what it says, with what is read out and what stands for pictures. */
async function plainIn(texts: readonly string[]): Promise<string[]> {
  const find = await openFinder(server, TYPED);
  for (const text of texts) expect(text).toMatch(MADE_UP_LETTER);
  const pages = texts.map((text) =>
    text.includes('<html')
      ? text
      : text
          .split('\n')
          .map((line) => `<p>${line.replaceAll('<', '&lt;')}</p>`)
          .join(''),
  );
  return [...new Set(pages.flatMap(find))];
}

const textsOf = ({ subject = '', text = '', html }: ReceivedMail): string[] => [subject, text, String(html)];

test('alarms, from the first word to the last: mail, and what is sent to phones', async () => {
  const { desk, lab, receiver, strike } = await openHouse();
  const kinds = Object.keys(PERSON_KINDS);
  const now = server.clock.read();
  await server.db.query(sql`
    insert into contact_method (account_id, kind, address, secret, verified_at, created_at)
    select ${lab.oscar.id}, kind, 'https://push.example/' || kind, null, ${now}, ${now}
    from unnest(${kinds}::text[]) as one (kind) where kind in ('sms', 'voice', 'telegram', 'pushover', 'ntfy', 'signal')`);
  const freezer = await desk.freezer({ send_acknowledgements: true, repeat_interval_minutes: 15 });
  await freezer.cools();
  server.clock.advance(minutes(20));
  await freezer.warms();
  await strike();
  await strike(minutes(15));
  await lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`, { comment: 'on my way' });
  await strike();
  await lab.oscar.post(`/alarms/${freezer.id}/hand-over`, { to: String(lab.ada.id) });
  await strike();
  await strike(minutes(16));
  await lab.oscar.post(`/alarms/${freezer.id}/cannot-go`);
  await strike();
  await freezer.cools();
  await strike();
  await lab.ada.post(`/settings/groups/${desk.groupId}/test`);
  await lab.ada.post(`/services/${freezer.id}/drill`, { climbs: 'yes' });
  await strike();
  await desk.warmAll(await desk.freezers(40));
  await strike();
  await server.db.query(
    sql`update service_settings set stale_after_minutes = 15 where service_id = ${freezer.id}`,
  );
  await strike(hours(1));
  expect(receiver.count).toBeGreaterThan(20);
  expect(await plainIn(receiver.mails.flatMap(textsOf))).toEqual([]);

  // Nobody reads this language out in a call.
  const letters = desk.postbox.arrivals
    .filter(({ to }) => !to.startsWith('voice '))
    .map(({ letter }) => letter);
  expect(letters.length).toBeGreaterThan(5);
  const said = letters.flatMap((letter) =>
    (['none', 'asked', 'missing'] as const).flatMap((pin) =>
      [null, '1234'].map((code) => sayLetter(letter, PUBLIC_URL, { code, pin, mayAcknowledge: true, now })),
    ),
  );
  const texts = said.flatMap(({ title, text, sms, spoken, link }) => [
    title,
    text,
    sms,
    spoken,
    link?.label ?? '',
  ]);
  expect(await plainIn(texts.filter((text) => text !== ''))).toEqual([]);
});

/** One that is missing does not compile. */
const ACCOUNT_MAILS: Record<AccountMailKind, true> = {
  activation: true,
  password_reset: true,
  password_changed: true,
  invitation: true,
  passkey_added: true,
  contact_off: true,
  phone_pin_changed: true,
};

test('mails about accounts, of every kind', async () => {
  const { lab, receiver, deps } = await openHouse();
  for (const email of ['mia@lab.example', lab.olga.email])
    await lab.ada.post('/settings/members/invite', { email, name: 'Mia', role: 'viewer' });
  await server.db.query(sql`update account set language = ${LONG}`);
  const now = server.clock.read();
  for (const author of [null, 'Mia'])
    await server.db.query(sql`
      insert into account_mail (account_id, kind, author_name, next_attempt_at, created_at)
      select ${lab.vera.id}, kind, ${author}, ${now}, ${now} from unnest(${Object.keys(ACCOUNT_MAILS)}::text[]) as one (kind)`);
  for (let batch = 0; batch < 4; batch += 1) await sendAccountMails(deps, now);
  const told = new Set(receiver.mails.map(({ headers }) => headers.get('x-tocsin-kind') ?? ''));
  expect([...told].sort()).toEqual(Object.keys(ACCOUNT_MAILS).sort());
  expect(await plainIn(receiver.mails.flatMap(textsOf))).toEqual([]);
});

test('reminders, and the calendar of who is on call', async () => {
  const { desk, lab, receiver, deps } = await openHouse();
  const freezer = await desk.freezer();
  await lab.oscar.post(`/api/v1/services/${freezer.id}/mute`, { reason: 'being mended' });
  server.clock.advance(hours(36));
  await remind(server.db, server.clock.read());
  await sendReminders(deps, server.clock.read());
  expect(receiver.count).toBeGreaterThan(1);
  expect(await plainIn(receiver.mails.flatMap(textsOf))).toEqual([]);
  const [rota] = await server.db.query<{ id: number }>(sql`
    select id from rota where organization_id = ${lab.organization}`);
  await lab.ada.post('/settings/rotas/feed', { rota_id: String(rota?.id) });
  const address = /href="(\/rota\/[^"]+\.ics)"/.exec(await (await lab.ada.get('/on-call')).text())?.[1] ?? '';
  const calendar = await (await fetch(server.url + address)).text();
  const find = await openFinder(server, TYPED);
  const summaries = [...calendar.matchAll(/SUMMARY:(.*)/g)].map(([, text = '']) => `<p>${text}</p>`);
  expect(summaries.length).toBeGreaterThan(5);
  expect(find(summaries.join(''))).toEqual([]);
});
