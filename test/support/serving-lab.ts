// A lab watched by the real program, which tells of its freezers by real mail, for whoever wants to get in its way.

import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import { applyLabFile } from '../../src/features/lab-file/apply-lab-file.ts';
import { PASSWORD } from './people.ts';
import { type Serving, startServing } from './program.ts';
import { openSmtpReceiver, type SmtpReceiver } from './smtp-receiver.ts';
import { cloneDatabase, type TestDatabase } from './test-database.ts';

export const SECRET = 'the secret of the gateway';
const ADA = 'ada@lab.example';

export interface ServingLab {
  own: TestDatabase;
  serving: Serving;
  smtp: SmtpReceiver;
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** A freezer gets warm: the post is answered, and a mail comes of it. */
  expectAlarmToGoOut(freezer: number): Promise<void>;
  /** As Ada, who is an administrator. */
  open(path: string): Promise<Response>;
}

const FREEZERS = [1, 2, 3];

export async function openServingLab(env: Record<string, string> = {}): Promise<ServingLab> {
  const own = await cloneDatabase();
  const smtp = await openSmtpReceiver();
  const text = JSON.stringify({
    accounts: [{ email: ADA, name: 'Ada', password: PASSWORD }],
    organizations: [
      {
        name: 'Cell Biology',
        members: [{ email: ADA, role: 'administrator' }],
        sources: [{ name: 'gateway', secret: SECRET }],
        groups: [{ name: 'Cold team', emails: ['cold@lab.example'] }],
        services: FREEZERS.map((number) => ({
          name: `Freezer ${number}`,
          device: { key: `freezer-${number}` },
          limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
          notifications: { group: 'Cold team', send_critical: true, repeat_interval_minutes: 0 },
        })),
      },
    ],
  });
  const input = { text, fileName: 'lab.yaml', isDryRun: false };
  expect(await applyLabFile(own.db, COMMAND_LINE, input, new Date())).toMatchObject({ ok: true });
  const serving = await startServing({
    DATABASE_URL: own.url,
    LOG_LEVEL: 'silent',
    SMTP_URL: smtp.url,
    ...env,
  });
  const token = await signIn(serving);

  const post: ServingLab['post'] = (body, headers = {}) =>
    fetch(`${serving.url}/api/v1/telemetry`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json', ...headers },
      body: headers['content-encoding'] === 'gzip' ? gzipSync(JSON.stringify(body)) : JSON.stringify(body),
    });
  return {
    own,
    serving,
    smtp,
    post,
    async expectAlarmToGoOut(freezer) {
      const answer = await post({ device: `freezer-${freezer}`, values: { temperature: -40 } });
      expect([answer.status, await answer.json()]).toMatchObject([200, { accepted: 1 }]);
      const told = () => smtp.subjects.filter((subject) => subject.includes(`Freezer ${freezer}`)).length;
      await expect.poll(told, { timeout: 60_000 }).toBe(1);
    },
    open: (path) =>
      fetch(serving.url + path, { redirect: 'manual', headers: { cookie: `access_token=${token}` } }),
  };
}

async function signIn({ url }: Serving): Promise<string> {
  const body = new URLSearchParams({ username: ADA, password: PASSWORD });
  const answer = await fetch(`${url}/api/v1/auth/token`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
}
