// `tocsin apply`, as a person at the terminal sees it.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import { runApply } from '../../src/features/lab-file/apply-command.ts';
import { type LabFileDesk, openLabFileDesk } from '../support/lab-file.ts';

let desk: LabFileDesk;
let folder: string;
beforeAll(async () => {
  desk = await openLabFileDesk();
  folder = await mkdtemp(join(tmpdir(), 'tocsin-lab-file-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function applyAtTerminal(
  content: string | Buffer | null,
  options: { isDryRun?: true; isJson?: true } = {},
) {
  const file = join(folder, 'lab.yaml');
  if (content !== null) await writeFile(file, content);
  const stdout: string[] = [];
  const stderr: string[] = [];
  const code = await runApply(
    { db: desk.db, requester: COMMAND_LINE, now: desk.clock.read() },
    { file, isDryRun: false, isJson: false, ...options },
    { stdout: (line) => stdout.push(line), stderr: (line) => stderr.push(line.replace(folder, '…')) },
  );
  return { code, stdout, stderr };
}

const LAB = 'organizations: [{ name: Lab, services: [{ name: "Freezer\\e[2J" }] }]\n';

test('a file that is not there, a folder, and text in another encoding are one clear line each', async () => {
  expect(await applyAtTerminal(null)).toEqual({ code: 1, stdout: [], stderr: ['…/lab.yaml does not exist'] });
  expect(await applyAtTerminal(Buffer.from('accounts: [{ unit: °C }]', 'latin1'))).toEqual({
    code: 1,
    stdout: [],
    stderr: ['…/lab.yaml is not UTF-8 text: save it as UTF-8'],
  });
});

test('faults go to standard error with file, line and column, and the exit code is 1', async () => {
  expect(await applyAtTerminal('acounts: []\n', { isJson: true })).toEqual({
    code: 1,
    stdout: [],
    stderr: ['…/lab.yaml:1:1: acounts: unknown key; did you mean "accounts"?', 'Nothing was saved.'],
  });
  expect((await applyAtTerminal('a: [')).stderr[0]).toMatch(/^…\/lab\.yaml:1:5: Flow sequence/);
});

test('a dry run says so; then the changes, once; then nothing to change', async () => {
  const changes = ['+ organization Lab', '+ service Lab/Freezer\\u001b[2J'];
  const shown = await applyAtTerminal(LAB, { isDryRun: true });
  expect(shown).toEqual({ code: 0, stdout: [...changes, 'Dry run: nothing was saved.'], stderr: [] });
  expect(await applyAtTerminal(`\uFEFF${LAB}`)).toEqual({ code: 0, stdout: changes, stderr: [] });
  expect(await applyAtTerminal(LAB)).toEqual({ code: 0, stdout: ['Nothing to change.'], stderr: [] });
});

test('--json prints one object with the ids, and nothing else', async () => {
  await applyAtTerminal('organizations: [{ name: Ids }]');
  const { code, stdout, stderr } = await applyAtTerminal('organizations: [{ name: Ids }]', { isJson: true });
  expect({ code, stderr, lines: stdout.length }).toEqual({ code: 0, stderr: [], lines: 1 });
  expect(JSON.parse(stdout[0] ?? '')).toEqual({
    organizations: { Ids: expect.any(Number) },
    accounts: {},
    groups: {},
    services: {},
  });
});
