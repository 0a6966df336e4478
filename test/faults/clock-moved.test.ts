// The clock of the machine is set back by an hour and then forward by a day, under the whole program at work, while a gateway
// goes on reporting. What happens is noticed and told as ever, and nobody is told what is not so.
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import { readEnvironment } from '../../src/engine/delivery-settings/read-environment.ts';
import { applyLabFile } from '../../src/features/lab-file/apply-lab-file.ts';
import { openLogOutput } from '../../src/platform/log-output.ts';
import { serve } from '../../src/serve.ts';
import { PASSWORD } from '../support/people.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';
import { cloneDatabase } from '../support/test-database.ts';

const SECRET = 'the secret of the gateway';
const ADA = 'ada@lab.example';
const HOUR_MS = 3_600_000;
const FREEZERS = [1, 2, 3, 4];
const LAB = JSON.stringify({
  accounts: [{ email: ADA, name: 'Ada', password: PASSWORD }],
  organizations: [
    {
      name: 'Cell Biology',
      members: [{ email: ADA, role: 'operator' }],
      sources: [{ name: 'gateway', secret: SECRET }],
      groups: [{ name: 'Cold team', emails: ['cold@lab.example'] }],
      services: FREEZERS.map((number) => ({
        name: `Freezer ${number}`,
        device: { key: `freezer-${number}` },
        limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
        notifications: {
          group: 'Cold team',
          send_critical: true,
          send_recoveries: true,
          enable_system_notifications: true,
          repeat_interval_minutes: 0,
        },
      })),
    },
  ],
});

async function startProgram() {
  const { db, url: databaseUrl } = await cloneDatabase();
  const applied = await applyLabFile(
    db,
    COMMAND_LINE,
    { text: LAB, fileName: 'lab.yaml', isDryRun: false },
    new Date(),
  );
  expect(applied).toMatchObject({ ok: true });
  const smtp = await openSmtpReceiver();
  let offsetMs = 0;
  const said: string[] = [];
  const program = await serve({
    config: readEnvironment({ DATABASE_URL: databaseUrl, PORT: '0', SMTP_URL: smtp.url }),
    clock: () => new Date(Date.now() + offsetMs),
    log: pino({ level: 'silent' }),
    logOutput: openLogOutput((_, done) => done()),
    roles: ['web', 'engine', 'deliver'],
    say: (line) => void said.push(line),
  });
  onTestFinished(() => program.stop());
  const url = /listens on (\S+)/.exec(said.join('\n'))?.[1] ?? '';
  const moveClock = (ms: number) => {
    offsetMs = ms;
  };
  return { smtp, url, moveClock };
}

/** Each freezer every second, as warm as it is. */
function startGateway(url: string, temperatures: Map<number, number>) {
  const answers: string[] = [];
  const timer = setInterval(async () => {
    const readings = FREEZERS.map((number) => ({
      device: `freezer-${number}`,
      values: { temperature: temperatures.get(number) ?? -80 },
    }));
    const answer = await fetch(`${url}/api/v1/telemetry`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
      body: JSON.stringify(readings),
    });
    const { accepted } = (await answer.json()) as { accepted: number };
    answers.push(`${answer.status} ${accepted}`);
  }, 1_000);
  onTestFinished(() => clearInterval(timer));
  return answers;
}

async function signIn(url: string): Promise<string> {
  const body = new URLSearchParams({ username: ADA, password: PASSWORD });
  const answer = await fetch(`${url}/api/v1/auth/token`, { method: 'POST', body });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { access_token: string }).access_token;
}

test('an alarm begins and ends on either side of each move, and is told once', {
  timeout: 400_000,
}, async () => {
  const { smtp, url, moveClock } = await startProgram();
  const temperatures = new Map<number, number>();
  const answers = startGateway(url, temperatures);
  const token = await signIn(url);
  const listAlarms = async (bearer = token) => {
    const answer = await fetch(`${url}/api/v1/alarms`, { headers: { authorization: `Bearer ${bearer}` } });
    return { status: answer.status, body: await answer.json() };
  };
  const warm = async (number: number) => {
    const before = smtp.subjects.length;
    temperatures.set(number, -40);
    await expect.poll(() => smtp.subjects.length, { timeout: 90_000 }).toBe(before + 1);
    expect(smtp.subjects.at(-1)).toContain(`Freezer ${number}`);
  };
  const cool = async (number: number) => {
    const before = smtp.subjects.length;
    temperatures.set(number, -80);
    await expect.poll(() => smtp.subjects.length, { timeout: 90_000 }).toBe(before + 1);
  };
  await expect.poll(() => answers.length, { timeout: 60_000 }).toBeGreaterThan(2);
  await warm(1);

  moveClock(-HOUR_MS);
  await warm(2);
  await cool(1);
  expect(await listAlarms()).toMatchObject({ status: 200, body: [{ service_name: 'Freezer 2' }] });
  expect((await listAlarms(await signIn(url))).status).toBe(200);

  moveClock(24 * HOUR_MS);
  await warm(3);
  await cool(2);
  const seen = answers.length;
  await expect.poll(() => answers.length, { timeout: 60_000 }).toBeGreaterThan(seen + 8);
  expect((await listAlarms(await signIn(url))).body).toMatchObject([{ service_name: 'Freezer 3' }]);
  expect(smtp.subjects).toHaveLength(5);
  expect(new Set(answers)).toEqual(new Set(['200 4']));
});
