// What the files in deploy/ say agrees with the program, and with each other. No container is built here.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { createDeliveryMetrics } from '../src/engine/delivery/delivery-metrics.ts';
import { PROGRAM_ROLES } from '../src/engine/self-watch/programs.ts';
import { measureHealth } from '../src/features/health/metrics.ts';
import { readConfig } from '../src/platform/config.ts';
import type { LogOutput } from '../src/platform/log-output.ts';
import { createMetrics } from '../src/platform/metrics.ts';
import { projectRoot } from '../src/platform/project-root.ts';
import { readDeployedVariables } from './cluster/deployed.ts';
import { findKubernetesFaults } from './support/kubernetes-shapes.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const unit = read('deploy/tocsin.service');
const containerfile = read('deploy/Containerfile');
const readCompose = (path: string) =>
  parse(read(path).replaceAll(/\$\{\w+:\?[^}]*\}/g, 'chosen'), { merge: true });
const compose = readCompose('deploy/compose.yaml');
const several = readCompose('deploy/compose.several.yaml');

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
  const get = (_: object, name: string | symbol) => {
    asked.add(String(name));
    // Its host is asked for only where there is a port.
    return name === 'TOCSIN_METRICS_PORT' ? '9464' : undefined;
  };
  readConfig(new Proxy({}, { get }));
  return asked;
}

test.each([
  ['the unit', unitEnvironment],
  ['the image', imageEnvironment],
  ['compose', composeEnvironment],
  ['compose with several programs', { ...imageEnvironment, ...several.services.web.environment }],
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

test('in compose with several programs each role is the work of somebody, and the balancer finds the pages', () => {
  const { web, engine, balancer, postgres, mail } = several.services;
  const roles = [web, engine].flatMap(({ command, deploy, read_only: isReadOnly, cap_drop: dropped }) => {
    expect([deploy.replicas, isReadOnly, dropped]).toEqual([2, true, ['ALL']]);
    expect(command.slice(0, 2)).toEqual(['serve', '--roles']);
    return command[2].split(',');
  });
  expect(roles.sort()).toEqual([...PROGRAM_ROLES].sort());
  expect(engine.environment).toEqual(web.environment);
  const { DATABASE_URL, SMTP_URL, TOCSIN_PUBLIC_URL } = several.services.web.environment;
  expect({ DATABASE_URL, SMTP_URL, TOCSIN_PUBLIC_URL }).toEqual(compose.services.tocsin.environment);
  for (const [service, one] of Object.entries({ postgres, mail }))
    expect(one).toEqual({ extends: { file: 'compose.yaml', service } });
  expect(balancer.ports).toEqual(compose.services.tocsin.ports);
  expect(balancer.volumes[0]).toMatch(/^\.\/compose-haproxy\.cfg:/);
  const { port } = readConfig(imageEnvironment);
  expect(read('deploy/compose-haproxy.cfg')).toContain(`server-template web 2 web:${port} check`);
});

const haproxy = ['haproxy', '/usr/sbin/haproxy'].find((path) => spawnSync(path, ['-v']).status === 0);

test.skipIf(!haproxy).each(['deploy/compose-haproxy.cfg', 'deploy/database/haproxy.cfg'])(
  'HAProxy finds no fault in %s',
  (path) => {
    // Nobody knows the addresses of the example.
    const env = Object.fromEntries(
      Object.entries(readDeployedVariables('haproxy.env', {})).map(([name, value]) => [
        name,
        value.replace(/^\w+\.lab\.example:/, '127.0.0.1:'),
      ]),
    );
    const { status, stderr } = spawnSync(haproxy ?? '', ['-c', '-f', join(projectRoot, path)], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  },
);

test('the unit for one role is the unit of the whole program, but for its role', () => {
  const ofRole = read('deploy/tocsin@.service');
  const plain = ofRole
    .replace(/^(Description=.*): %i$/m, '$1')
    .replace(' serve --roles %i\n', ' serve\n')
    .replace(/^#.*\nEnvironmentFile=-\/etc\/tocsin\/%i\.env\n/m, '');
  expect(plain).toBe(unit);
  const readme = read('deploy/README.md');
  for (const role of PROGRAM_ROLES) expect(readme).toContain(`tocsin@${role}`);
});

const manifests = parseAllDocuments(read('deploy/kubernetes/tocsin.yaml')).map((document) => {
  expect(document.errors).toEqual([]);
  return document.toJS();
});
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);

test('Kubernetes would take the files: no field that it does not know, no value that it refuses', () => {
  expect(manifests.flatMap(findKubernetesFaults)).toEqual([]);
  const [web] = ofKind('Deployment');
  const spoil = (change: (spec: typeof web.spec) => void) => {
    const spoilt = structuredClone(web);
    change(spoilt.spec);
    return findKubernetesFaults(spoilt);
  };
  for (const faults of [
    spoil((spec) => Object.assign(spec, { replica: 2 })),
    spoil((spec) => Object.assign(spec, { replicas: '2' })),
    spoil((spec) => Object.assign(spec.template.spec.containers[0], { readinesProbe: {} })),
    spoil((spec) => Object.assign(spec.template.spec.containers[0].resources.limits, { memory: '1 GB' })),
    spoil((spec) => delete spec.template.spec.containers[0].image),
    findKubernetesFaults({ ...web, apiVersion: 'apps/v1beta1' }),
  ])
    expect.soft(faults).not.toEqual([]);
});

test('what runs in Kubernetes is set by variables that the program knows', () => {
  const [{ data }] = ofKind('ConfigMap');
  expect([...knownVariables()]).toEqual(expect.arrayContaining(Object.keys(data)));
  const { port, metrics } = readConfig({ ...data, DATABASE_URL: 'postgres://db/tocsin' });
  const [web, engine] = ofKind('Deployment').map(({ spec }) => spec.template.spec.containers[0]);
  expect(web.ports).toEqual([
    { name: 'http', containerPort: port },
    { name: 'metrics', containerPort: metrics?.port },
  ]);
  expect(engine.ports).toEqual([{ name: 'metrics', containerPort: metrics?.port }]);
  for (const { image } of [web, engine])
    expect(image).toBe(`registry.lab.example/tocsin:${manifest.version}`);
});

test('in Kubernetes each role is the work of somebody, as the user of the image, on a root that is read-only', () => {
  const roles = ofKind('Deployment').flatMap(({ spec }) => {
    const { securityContext, containers } = spec.template.spec;
    expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
    expect(spec.replicas).toBeGreaterThan(1);
    expect(containerfile).toContain(`--uid ${securityContext.runAsUser} `);
    expect(containers[0].securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(containers[0].args.slice(0, 2)).toEqual(['serve', '--roles']);
    return containers[0].args[2].split(',');
  });
  expect(roles.sort()).toEqual([...PROGRAM_ROLES].sort());
  const labels = ofKind('Deployment').map(({ metadata }) => metadata.labels);
  const [{ spec: service }] = ofKind('Service');
  const [{ spec: budget }] = ofKind('PodDisruptionBudget');
  expect(labels).toEqual(expect.arrayContaining([service.selector, budget.selector.matchLabels]));
});

const RULES = 'deploy/monitoring/prometheus-rules.yml';

test('rules and the dashboard ask for metrics, findings and labels that there are', async () => {
  const { registry } = createMetrics({ dropped: () => 0 } as unknown as LogOutput);
  createDeliveryMetrics(registry);
  measureHealth(registry, {} as Parameters<typeof measureHealth>[1]);
  const known = new Set(registry.getMetricsAsArray().map(({ name }) => name));
  const dashboard = JSON.parse(read('deploy/monitoring/grafana-dashboard.json'));
  const expressions: string[] = [
    ...parse(read(RULES)).groups.flatMap(({ rules }: { rules: { expr: string }[] }) =>
      rules.map(({ expr }) => expr),
    ),
    ...dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
      targets.map(({ expr }) => expr),
    ),
  ];
  const asked = expressions.flatMap((text) => text.match(/\b(tocsin|process)_\w+/g) ?? []);
  expect(asked.length).toBeGreaterThan(10);
  for (const name of asked) expect.soft(known).toContain(name.replace(/_(bucket|count|sum)$/, ''));
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

// promtool is part of Prometheus.
test.skipIf(!hasPromtool)('Prometheus finds no fault in the rules', () => {
  const { status, stderr } = spawnSync('promtool', ['check', 'rules', join(projectRoot, RULES)], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
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
