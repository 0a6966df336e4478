import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../src/platform/project-root.ts';

/** For tests that start a worker thread: it runs from the bundle, which `npm start` makes by itself. */
export const buildProgram = () => promisify(execFile)(process.execPath, [join(projectRoot, 'bin/build.js')]);

/** For pages, which take their scripts and looks from what is built. */
export const buildAssets = () =>
  promisify(execFile)(process.execPath, [join(projectRoot, 'bin/build.js'), '--assets']);
