// Starts a Chromium. The one from npm brings its own libraries and a font, so that nothing needs to be installed.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { projectRoot } from '../../src/platform/project-root.ts';
import { type Chromium, findChromium, NO_CHROMIUM } from './find-chromium.ts';

const CACHE = join(projectRoot, 'node_modules/.cache/tocsin');
const HOME = join(CACHE, 'chromium');

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  // One that is installed talks to its maker otherwise; what else it takes for that comes with playwright.
  '--disable-sync',
  '--disable-quic',
];

export async function launchChromium(found: Chromium | null = findChromium()): Promise<Browser> {
  if (!found) throw new Error(NO_CHROMIUM);
  if (found.from === 'machine') return chromium.launch({ executablePath: found.path, args: ARGUMENTS });
  if (!existsSync(HOME)) await unpack();
  return chromium.launch({
    executablePath: join(HOME, 'chromium'),
    args: ARGUMENTS,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(HOME, 'al2023/lib'),
      FONTCONFIG_FILE: join(HOME, 'fonts.conf'),
    },
  });
}

/** Into a folder of its own that gets its name when it is complete: test files start at the same time. */
async function unpack(): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'unpacking-'));
  const script = `const { default: chromium } = await import(${JSON.stringify(import.meta.resolve('@sparticuz/chromium'))});
    await chromium.executablePath();`;
  // The package unpacks to the temporary folder, and brings its libraries along where it believes itself in a bare environment.
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
  });
  await writeFile(join(folder, 'fonts.conf'), fontSettings());
  await rename(folder, HOME).catch(async (error: unknown) => {
    await rm(folder, { recursive: true });
    if (!existsSync(HOME)) throw error;
  });
}

const fontSettings = (): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(HOME, 'fonts')}</dir>
  <cachedir>${join(HOME, 'fonts-cache')}</cachedir>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
</fontconfig>
`;
