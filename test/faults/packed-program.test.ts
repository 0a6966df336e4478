import { chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkOut, describeFolder, install, makeReadOnly, packProgram } from '../support/installation.ts';
import { runCommand, startServing } from '../support/program.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';
import { isRoot, NOBODY, nodeForEverybody, someoneElse } from '../support/someone-else.ts';

let folder: string;
let installation: string;
let packed: string[];
let untouched: string[];
let command: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tocsin-packed-'));
  await chmod(folder, 0o755);
  const { archive, files } = await packProgram(folder);
  packed = files;
  installation = join(folder, 'installation');
  await install(archive, installation);
  await makeReadOnly(installation);
  untouched = describeFolder(installation);
  command = [await nodeForEverybody(folder), join(installation, 'bin/tocsin.js')];
}, 120_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('the packed program is built, with its parts list, and without sources, tests and benches', () => {
  expect(packed).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'bin/tocsin.js',
      'dist/analyst.js',
      'dist/assets/app.js',
      'dist/codec-worker.js',
      'dist/main.js',
      'dist/pack-worker.js',
      'dist/sbom.cdx.json',
      'examples/lab.yaml',
      'lists/common-passwords.txt',
      'migrations/0001_people.sql',
      'npm-shrinkwrap.json',
    ]),
  );
  expect(packed.filter((path) => /^(src|test|bench|scripts|\.)|\.ts$/.test(path))).toEqual([]);
});

const CODEC_FILE = `organizations:
  - name: Cell Biology
    sources:
      - name: gateway
        kind: chirpstack
        settings:
          codec: |
            function decodeUplink(input) { return { data: { temperature: -input.bytes.length } }; }
`;

test('it needs no install script, and runs where it may not write', async () => {
  const home = join(folder, 'somebody');
  await mkdir(home);
  if (isRoot) await chown(home, NOBODY.uid, NOBODY.gid);
  const how = { command, cwd: home, ...someoneElse };
  // Without a mail server it would complain of that.
  const { url: SMTP_URL } = await openSmtpReceiver();
  const env = { TOCSIN_DATA: join(home, 'data'), HOME: home, SMTP_URL };

  const serving = await startServing(env, [], how);
  const applied = await runCommand(['apply', join(installation, 'examples/lab.yaml')], env, '', how);
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  const person = ['--email', 'vera@lab.example', '--name', 'Vera', '--password-stdin'];
  expect(await runCommand(['account', 'create', ...person], env, 'sunshine', how)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('This password is among the first that others would try'),
  });
  const telemetry = await fetch(`${serving.url}/api/v1/telemetry`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer CHANGE-ME-cell-biology-gateway',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ device: '0004a30b001c0530', values: { temperature: -75.5 } }),
  });
  expect(await telemetry.json()).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
  const lab = join(home, 'codec.yaml');
  await writeFile(lab, CODEC_FILE);
  expect(await runCommand(['apply', lab], env, '', how)).toMatchObject({ code: 0 });
  const uplink = await fetch(`${serving.url}/api/v1/telemetry/chirpstack`, {
    method: 'POST',
    headers: { authorization: 'Bearer CHANGE-ME-cell-biology-gateway' },
    body: '{"deviceInfo": {"devEui": "0004a30b001c0530"}, "data": "4LI="}',
  });
  expect(await uplink.json()).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
  const page = await (await fetch(`${serving.url}/login`)).text();
  const looks = /href="(\/assets\/[^"]+)"/.exec(page)?.[1];
  expect((await fetch(serving.url + looks)).status).toBe(200);
  expect(await serving.stop()).toMatchObject({ code: 0, stderr: '' });
  expect(describeFolder(installation)).toEqual(untouched);
}, 120_000);

// Nothing keeps root from writing there but the program itself.
test.skipIf(!isRoot)(
  'root leaves its installation untouched too',
  async () => {
    const env = { TOCSIN_DATA: join(folder, 'root') };
    expect(await runCommand(['migrate'], env, '', { command })).toMatchObject({ code: 0, stderr: '' });
    expect(describeFolder(installation)).toEqual(untouched);
  },
  120_000,
);

test('a checkout builds itself when it is run for the first time', async () => {
  const checkout = join(folder, 'checkout');
  await checkOut(checkout);
  const how = { command: ['npm', 'start', '--silent', '--', '--help'], cwd: checkout };
  expect(await runCommand([], {}, '', how)).toMatchObject({ code: 0, stderr: '' });
  expect(await readdir(join(checkout, 'dist'))).toEqual(
    expect.arrayContaining(['analyst.js', 'assets', 'main.js', 'sbom.cdx.json']),
  );
});
