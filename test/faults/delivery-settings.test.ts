// Real programs on one database: what a keeper sets at one of them, the other sends by, without a restart.
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import { applyLabFile } from '../../src/features/lab-file/apply-lab-file.ts';
import { PASSWORD } from '../support/people.ts';
import { makeDataDir, runCommand, type Serving, startServing } from '../support/program.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';
import { cloneDatabase } from '../support/test-database.ts';

const SECRET = 'the secret of the gateway';
const ADA = 'ada@lab.example';
const auth = { user: 'tocsin', password: 'the password of the mail server' };

const LAB = {
  accounts: [{ email: ADA, name: 'Ada', password: PASSWORD }],
  organizations: [
    {
      name: 'Cell Biology',
      members: [{ email: ADA, role: 'administrator' }],
      sources: [{ name: 'gateway', secret: SECRET }],
      groups: [{ name: 'Cold team', emails: ['cold@lab.example'] }],
      services: [1, 2].map((number) => ({
        name: `Freezer ${number}`,
        device: { key: `freezer-${number}` },
        limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
        notifications: { group: 'Cold team', send_critical: true, repeat_interval_minutes: 0 },
      })),
    },
  ],
};

async function openHouse(keyOfDeliverer: (key: string) => string | null) {
  const own = await cloneDatabase();
  const input = { text: JSON.stringify(LAB), fileName: 'lab.yaml', isDryRun: false };
  expect(await applyLabFile(own.db, COMMAND_LINE, input, new Date())).toMatchObject({ ok: true });
  const key = 'a key that both programs have, of many letters';
  const env = { DATABASE_URL: own.url, LOG_LEVEL: 'silent', TOCSIN_DATA: await makeDataDir() };
  const web = await startServing({ ...env, TOCSIN_KEY: key }, ['--roles', 'web,engine']);
  const delivererKey = keyOfDeliverer(key);
  const deliverer = await startServing(
    { ...env, TOCSIN_DATA: await makeDataDir(), ...(delivererKey !== null && { TOCSIN_KEY: delivererKey }) },
    ['--roles', 'deliver'],
  );
  // Beside the running programs.
  expect(await runCommand(['account', 'keeper', ADA], env)).toMatchObject({ code: 0 });
  const cookie = await signIn(web);
  const send = (path: string, form: Record<string, string>) =>
    fetch(web.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: web.url, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(form),
    });
  const warm = (freezer: number) =>
    fetch(`${web.url}/api/v1/telemetry`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
      body: JSON.stringify({ device: `freezer-${freezer}`, values: { temperature: -40 } }),
    });
  const read = async (path: string) => (await fetch(web.url + path, { headers: { cookie } })).text();
  return { env, own, deliverer, send, warm, read };
}

async function signIn({ url }: Serving): Promise<string> {
  const body = new URLSearchParams({ username: ADA, password: PASSWORD });
  const answer = await fetch(`${url}/api/v1/auth/token`, { method: 'POST', body });
  return `access_token=${((await answer.json()) as { access_token: string }).access_token}`;
}

const serverForm = (port: number) => ({
  host: '127.0.0.1',
  port: String(port),
  security: 'offered',
  user: auth.user,
  password: auth.password,
});

test('set at one program, the other sends by it within seconds, and by the next one as well', async () => {
  const house = await openHouse((key) => key);
  const [first, second] = [await openSmtpReceiver({ auth }), await openSmtpReceiver({ auth })];
  const keepsMail = () =>
    house.own.db.query(sql`select keeps_mail from program where keeps_mail is not null`);
  await expect.poll(keepsMail, { timeout: 60_000 }).toEqual([{ keeps_mail: true }]);
  const saved = await house.send('/settings/delivery/mail_server', serverForm(first.port));
  expect(saved.status).toBe(303);
  await expect.poll(keepsMail, { timeout: 60_000 }).toEqual([{ keeps_mail: false }]);
  await house.warm(1);
  await expect.poll(() => first.subjects.join(), { timeout: 60_000 }).toContain('Freezer 1');
  await first.goDown();
  await house.send('/settings/delivery/mail_server', serverForm(second.port));
  await house.warm(2);
  await expect.poll(() => second.subjects.join(), { timeout: 120_000 }).toContain('Freezer 2');
  expect([first.count, second.count]).toEqual([1, 1]);
});

test('a program without the key says so, and the mail waits for one that has it', async () => {
  const house = await openHouse(() => null);
  const receiver = await openSmtpReceiver({ auth });
  await house.send('/settings/delivery/mail_server', serverForm(receiver.port));
  await expect
    .poll(() => house.read('/api/v1/health/detailed'), { timeout: 60_000, interval: 500 })
    .toContain('cannot read how messages are to leave');
  await house.warm(1);
  const state = async () => JSON.stringify(await house.own.db.query(sql`select last_error from delivery`));
  await expect.poll(state, { timeout: 60_000 }).toContain('has not the key');
  expect(receiver.count).toBe(0);
  const doctor = await runCommand(['doctor'], house.env);
  expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining('its key is not here') });

  const helper = await startServing(
    { ...house.env, TOCSIN_KEY: 'a key that both programs have, of many letters' },
    ['--roles', 'deliver'],
  );
  onTestFinished(async () => void (await helper.stop()));
  await house.deliverer.stop();
  await expect.poll(() => receiver.count, { timeout: 120_000 }).toBe(1);
});
