import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { isRunning } from '../support/embedded-probes.ts';
import { makeDataDir, runCommand, type Serving, startByNpm, startServing } from '../support/program.ts';

const PASSWORD = 'a password for Vera';
const createVera = (env: Record<string, string>) =>
  runCommand(
    [
      'account',
      'create',
      '--email',
      'vera@lab.example',
      '--name',
      'Vera',
      '--organization',
      'Cell Biology',
      '--password-stdin',
    ],
    env,
    `${PASSWORD}\n`,
  );
const askToken = ({ url }: Serving) =>
  fetch(`${url}/api/v1/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'vera@lab.example', password: PASSWORD }),
  });
const signIn = async (serving: Serving) =>
  ((await (await askToken(serving)).json()) as { access_token: string }).access_token;
const askMe = ({ url }: Serving, token: string) =>
  fetch(`${url}/api/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } });

/** Made once; each test works on a copy. */
let veraDataDir: string;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-vera-'));
  await chmod(folder, 0o755);
  veraDataDir = join(folder, 'data');
  await createVera({ TOCSIN_DATA: veraDataDir });
  return () => rm(folder, { recursive: true, force: true });
});

const pidFile = (dataDir: string) => join(dataDir, 'postgres/postmaster.pid');
const databasePid = (dataDir: string) => Number(readFileSync(pidFile(dataDir), 'utf8').split('\n')[0]);

describe('the life of the program', () => {
  test('starts on an empty folder, says where and how to go on, and leaves nothing running', async () => {
    const TOCSIN_DATA = await makeDataDir();
    const serving = await startServing({ TOCSIN_DATA });
    expect(serving.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await expect.poll(serving.said).toContain('node bin/tocsin.js apply lab.yaml');
    expect((await fetch(`${serving.url}/health`)).status).toBe(200);
    const pid = databasePid(TOCSIN_DATA);

    const { code, stderr } = await serving.stop('SIGTERM');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(existsSync(pidFile(TOCSIN_DATA))).toBe(false);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test('commands work without a server and beside one; tokens survive a restart', async () => {
    const env = { TOCSIN_DATA: await makeDataDir() };
    expect(await createVera(env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Created account'),
    });
    expect(existsSync(pidFile(env.TOCSIN_DATA))).toBe(false);

    const first = await startServing(env);
    expect(first.said()).not.toContain('Nobody can sign in yet');
    const token = await signIn(first);
    expect((await first.stop('SIGINT')).code).toBe(0);

    const second = await startServing(env);
    expect((await askMe(second, token)).status).toBe(200);
    const doctor = await runCommand(['doctor'], env);
    expect(doctor).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing is broken.') });
    expect(doctor.stdout).toContain('! delivery: Links begin with http://127.0.0.1:');
    const deactivated = await runCommand(['account', 'deactivate', 'vera@lab.example'], env);
    expect(deactivated).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Account deactivated; its tokens are rejected'),
    });
    expect((await askMe(second, token)).status).toBe(401);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('%s cuts no request off', async (signal) => {
    const env = { TOCSIN_DATA: await makeDataDir(veraDataDir) };
    const serving = await startServing(env);
    const body = `username=vera%40lab.example&password=${encodeURIComponent(PASSWORD)}`;
    const socket = connect(Number(new URL(serving.url).port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    socket.write(
      `POST /api/v1/auth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\nuser`,
    );
    // Until the head of the request has arrived; nothing on the outside tells.
    await sleep(300);
    const stopped = serving.stop(signal);
    await expect.poll(serving.said).toContain('Stopping');
    await expect(fetch(`${serving.url}/health`)).rejects.toThrow();
    socket.write(body.slice('user'.length));
    expect((await stopped).code).toBe(0);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('"access_token"');
  });

  test('npm start passes the signal on: nothing stays behind', async () => {
    const TOCSIN_DATA = await makeDataDir(veraDataDir);
    const serving = await startByNpm({ TOCSIN_DATA });
    const pid = databasePid(TOCSIN_DATA);
    expect((await serving.stop('SIGTERM')).stdout).toContain('Stopped.');
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test('two programs share one data folder; each may leave first', async () => {
    const env = { TOCSIN_DATA: await makeDataDir(veraDataDir) };
    const [one, other] = await Promise.all([startServing(env), startServing(env)]);
    const token = await signIn(one);
    expect((await askMe(other, token)).status).toBe(200);
    await one.stop();
    expect((await askMe(other, token)).status).toBe(200);
    await other.stop();
    expect(existsSync(pidFile(env.TOCSIN_DATA))).toBe(false);
  });

  test('kill -9 of the program: the next start finds everything', async () => {
    const env = { TOCSIN_DATA: await makeDataDir(veraDataDir) };
    const first = await startServing(env);
    const token = await signIn(first);
    await first.stop('SIGKILL');
    const second = await startServing(env);
    expect((await askMe(second, token)).status).toBe(200);
    await second.stop();
    expect(existsSync(pidFile(env.TOCSIN_DATA))).toBe(false);
  });

  test('kill -9 of the database: the program brings it back and goes on', async () => {
    const env = { TOCSIN_DATA: await makeDataDir(veraDataDir), LOG_LEVEL: 'silent' };
    const serving = await startServing(env);
    const token = await signIn(serving);
    process.kill(databasePid(env.TOCSIN_DATA), 'SIGKILL');
    await expect.poll(async () => (await askMe(serving, token)).status, { timeout: 30_000 }).toBe(200);
    expect((await serving.stop()).code).toBe(0);
  });
});

test('the work can be split: one program answers, another lets the timers fire', async () => {
  const env = { TOCSIN_DATA: await makeDataDir(veraDataDir) };
  const web = await startServing(env, ['--roles', 'web']);
  const health = async () => {
    const answer = await fetch(`${web.url}/api/v1/health/detailed`, {
      headers: { authorization: `Bearer ${await signIn(web)}` },
    });
    return ((await answer.json()) as { degraded: string[] }).degraded;
  };
  expect(await health()).toContain('clock');
  const engine = await startServing(env, ['--roles', 'engine,deliver,advise']);
  expect(engine.said()).toContain('Tocsin runs as engine, deliver, advise');
  // The report is kept for five seconds.
  await expect.poll(health, { interval: 1_000, timeout: 60_000 }).not.toContain('clock');
  expect((await runCommand(['serve', '--roles', 'web,cook'], env)).stderr).toBe(
    'Unknown role "cook" in --roles: web, mqtt, engine, deliver, advise\n',
  );
});

describe('a start that cannot succeed says why in one line', () => {
  test('a wrong value', async () => {
    expect(await runCommand(['serve'], { PORT: 'eighty' })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'PORT must be a whole number from 0 to 65535, not "eighty"\n',
    });
  });

  test('a port that is taken, and the database is shut down again', async () => {
    const TOCSIN_DATA = await makeDataDir(veraDataDir);
    const serving = await startServing({ TOCSIN_DATA: await makeDataDir(veraDataDir) });
    const { port } = new URL(serving.url);
    const second = await runCommand(['serve'], { TOCSIN_DATA, PORT: port });
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(
      /^Cannot listen on 127\.0\.0\.1:\d+: listen EADDRINUSE.*Set HOST or PORT to another\.\n$/,
    );
    expect(existsSync(pidFile(TOCSIN_DATA))).toBe(false);
  });

  test('a database that cannot be reached, without its password', async () => {
    const failed = await runCommand(['serve'], { DATABASE_URL: 'postgres://u:geheim@127.0.0.1:1/x' });
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/^The database of DATABASE_URL cannot be reached: .*ECONNREFUSED.*\n$/);
    expect(failed.stderr).not.toContain('geheim');
  });
});

test('metrics have a listener of their own, and the public one knows nothing of them', async () => {
  const serving = await startServing({
    TOCSIN_DATA: await makeDataDir(veraDataDir),
    TOCSIN_METRICS_PORT: '0',
  });
  await fetch(`${serving.url}/api/v1/health`);
  const [, metricsUrl = ''] = /Metrics on (\S+)/.exec(serving.said()) ?? [];
  const scrape = async () => (await fetch(metricsUrl)).text();
  // Counted a moment after it was answered; and a database that takes long to answer is left out of a scrape.
  await expect
    .poll(scrape)
    .toContain('tocsin_http_request_seconds_count{method="GET",route="/api/v1/health",status="200"} 1');
  await expect.poll(scrape).toContain('tocsin_health{component="outbox",fact="lag_seconds"} 0');
  const metrics = await scrape();
  expect(metrics).toContain('tocsin_health{component="database",fact="ok"} 1');
  expect(metrics).toContain('tocsin_health{component="outbox",fact="lag_seconds"} 0');
  expect(metrics).toContain('process_resident_memory_bytes');
  expect((await fetch(`${serving.url}/metrics`)).status).toBe(404);
  expect((await fetch(metricsUrl.replace('/metrics', '/other'))).status).toBe(404);
});
