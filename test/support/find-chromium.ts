// Which browser the tests use: the one that CHROMIUM_PATH names, one that is installed, or the one from npm.
import { execFileSync } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export type Chromium = { from: 'machine'; path: string } | { from: 'npm' };

export interface Machine {
  platform: string;
  arch: string;
  env: Record<string, string | undefined>;
  /** Looked through after those of PATH. */
  folders: string[];
}

const THIS_MACHINE: Machine = {
  platform: process.platform,
  arch: process.arch,
  env: process.env,
  folders: [
    '/usr/bin',
    '/usr/local/bin',
    '/snap/bin',
    '/opt/google/chrome',
    '/Applications/Chromium.app/Contents/MacOS',
    '/Applications/Google Chrome.app/Contents/MacOS',
  ],
};

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'Chromium',
  'Google Chrome',
];

export const NO_CHROMIUM =
  'there is no Chromium for this machine: apt-get install chromium, or name one by CHROMIUM_PATH';

export function findChromium(machine: Machine = THIS_MACHINE): Chromium | null {
  const named = machine.env.CHROMIUM_PATH;
  if (named) {
    if (!isExecutable(named)) throw new Error(`CHROMIUM_PATH names no program: ${named}`);
    if (!fits(named, machine)) throw new Error(`CHROMIUM_PATH names a program for another machine: ${named}`);
    return { from: 'machine', path: named };
  }
  const folders = [...(machine.env.PATH ?? '').split(delimiter).filter(Boolean), ...machine.folders];
  for (const folder of folders)
    for (const name of NAMES) {
      const path = join(folder, name);
      if (isExecutable(path) && fits(path, machine) && !isEmptyPromise(path))
        return { from: 'machine', path };
    }
  return runsFromNpm(machine) ? { from: 'npm' } : null;
}

/** It is made for no other machine. */
const runsFromNpm = ({ platform, arch }: Machine) => platform === 'linux' && arch === 'x64';

/**
 * Draws the same pages at the least cost. A whole browser draws its own windows as well, keeps what was visited, and asks
 * after news of itself: five sixths of its work are not the page.
 */
export const findLightest = (found: Chromium | null, machine: Machine = THIS_MACHINE): Chromium | null =>
  found && !machine.env.CHROMIUM_PATH && runsFromNpm(machine) ? { from: 'npm' } : found;

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** By the numbers that ELF gives them. */
const ELF_MACHINES: Record<string, number> = { x64: 62, arm64: 183 };

/** What the system cannot execute is handed to a shell, which takes it for a script and does what it happens to read. */
function fits(path: string, { platform, arch }: Machine): boolean {
  if (platform !== 'linux') return true;
  const head = readHead(path);
  return isScript(head) || (isElf(head) && head.readUInt16LE(18) === ELF_MACHINES[arch]);
}

const isScript = (head: Buffer) => head.toString('latin1', 0, 2) === '#!';
const isElf = (head: Buffer) => head.toString('latin1', 0, 4) === '\x7fELF';

function readHead(path: string): Buffer {
  const head = Buffer.alloc(20);
  const file = openSync(path, 'r');
  readSync(file, head);
  closeSync(file);
  return head;
}

/** Some distributions install a script that only says where to get the browser. */
function isEmptyPromise(path: string): boolean {
  if (!isScript(readHead(path))) return false;
  try {
    execFileSync(path, ['--version'], { cwd: tmpdir(), stdio: 'ignore', timeout: 10_000 });
    return false;
  } catch {
    return true;
  }
}
