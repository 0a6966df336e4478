// What the files in deploy/ say agrees with the program, and with each other. No container is built here.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../src/platform/config.ts';
import { projectRoot } from '../src/platform/project-root.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const unit = read('deploy/tocsin.service');
const containerfile = read('deploy/Containerfile');
const compose = parse(read('deploy/compose.yaml').replaceAll(/\$\{\w+:\?[^}]*\}/g, 'chosen'));

const settings = (text: string) =>
  Object.fromEntries([...text.matchAll(/^#?([A-Z][A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
const unitEnvironment = {
  ...Object.fromEntries(
    [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  ),
  ...settings(read('deploy/tocsin.env')),
};
const imageEnvironment = Object.fromEntries(
  [...(/^ENV (.*)$/m.exec(containerfile)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [
    name,
    value,
  ]),
);
const composeEnvironment = { ...imageEnvironment, ...compose.services.tocsin.environment };

/** The names that the program asks for when it reads its configuration. */
function knownVariables(): Set<string> {
  const asked = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void asked.add(String(name)) }));
  return asked;
}

test.each([
  ['the unit', unitEnvironment],
  ['the image', imageEnvironment],
  ['compose', composeEnvironment],
])('%s sets variables that the program knows, to values that it takes', (_, { NODE_ENV, ...environment }) => {
  expect(Object.keys(environment).length).toBeGreaterThan(1);
  expect([...knownVariables()]).toEqual(expect.arrayContaining(Object.keys(environment)));
  readConfig(environment);
});

test('the unit and the image run the program that is packed, and keep their data in the same place', () => {
  const [, program = ''] = /^ExecStart=\S+ \/opt\/tocsin\/(\S+) serve$/m.exec(unit) ?? [];
  expect(program).toBe(manifest.bin.tocsin);
  expect(containerfile).toContain(`ENTRYPOINT ["node", "/opt/tocsin/${program}"]`);
  expect(existsSync(join(projectRoot, program))).toBe(true);
  expect(manifest.files).toContain('deploy');
  const folder = '/var/lib/tocsin';
  expect([unitEnvironment.TOCSIN_DATA, imageEnvironment.TOCSIN_DATA]).toEqual([folder, folder]);
  expect(unit).toContain(`StateDirectory=${folder.slice('/var/lib/'.length)}\n`);
  expect(containerfile).toContain(`VOLUME ${folder}\n`);
  expect(compose.services.tocsin.volumes).toEqual([`tocsin:${folder}`]);
});

test('the unit lets the program stop its own database', () => {
  expect(unit).toContain('KillMode=mixed\n');
});

test('ports, hosts and users agree', () => {
  const { host, port } = readConfig(imageEnvironment);
  expect(host).toBe('0.0.0.0');
  expect(containerfile).toContain(`EXPOSE ${port}\n`);
  expect(containerfile).toContain(`http://127.0.0.1:${port}/health`);
  const { tocsin, postgres, mail } = compose.services;
  expect(tocsin.ports).toEqual([`127.0.0.1:${port}:${port}`]);
  const { databaseUrl, smtp, publicUrl } = readConfig(composeEnvironment);
  const database = new URL(databaseUrl ?? '');
  expect(Object.keys(compose.services)).toEqual(expect.arrayContaining([database.hostname, smtp?.host]));
  expect([database.username, database.pathname.slice(1)]).toEqual([
    postgres.environment.POSTGRES_USER,
    postgres.environment.POSTGRES_DB,
  ]);
  expect(publicUrl?.port).toBe(String(port));
  expect(mail.ports.join()).toMatch(/^127\.0\.0\.1:/);
});

test('the container runs as a user with a name, on a root that is read-only, from exact images', () => {
  const [user] = /^USER (\w+)$/m.exec(containerfile)?.slice(1) ?? [];
  expect(containerfile).toContain(`--shell /usr/sbin/nologin ${user} `);
  expect(compose.services.tocsin).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  });
  const images = [
    ...[...containerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image),
    compose.services.postgres.image,
    compose.services.mail.image,
  ];
  for (const image of images) expect.soft(image).toMatch(/^docker\.io\/[\w/]+:v?\d[\w.-]*$/);
});

test('the README of deploy/ speaks of every file there, and of none that is not', () => {
  const readme = read('deploy/README.md');
  const files = readdirSync(join(projectRoot, 'deploy'), { recursive: true, encoding: 'utf8' })
    .map((path) => basename(path))
    .filter((name) => name !== 'README.md');
  for (const name of files) expect.soft(readme).toContain(`\`${name}\``);
  for (const [, path = ''] of readme.matchAll(/\]\((?!https:)([^)#]+)\)/g))
    expect.soft(existsSync(join(projectRoot, 'deploy', path)), path).toBe(true);
  expect(read('README.md')).toContain('(deploy/README.md)');
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

// systemd-analyze is part of systemd: elsewhere only the tests above look at the unit.
test.skipIf(!hasSystemd)('systemd finds no fault in the unit, and calls its exposure OK', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-unit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'tocsin.service');
  // It looks whether what is to be run is there.
  writeFileSync(path, unit.replace('/usr/bin/node', process.execPath));
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
  expect({ status: verified.status, said: verified.stdout + verified.stderr }).toEqual({
    status: 0,
    said: '',
  });
  // In tenths: where "medium" begins is 50.
  const judged = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=25', path], {
    encoding: 'utf8',
  });
  expect(judged.status, judged.stdout + judged.stderr).toBe(0);
});
