// The Chromium that comes from npm, with its own libraries and a font, so that nothing needs to be installed.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { projectRoot } from '../../src/platform/project-root.ts';

const CACHE = join(projectRoot, 'node_modules/.cache/tocsin');
const HOME = join(CACHE, 'chromium');

/** `CHROMIUM_PATH` names another one, for machines the one from npm is not made for. */
export async function launchChromium(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];
  const own = process.env.CHROMIUM_PATH;
  if (own) return chromium.launch({ executablePath: own, args });
  if (!existsSync(HOME)) await unpack();
  return chromium.launch({
    executablePath: join(HOME, 'chromium'),
    args,
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
