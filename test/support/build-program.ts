import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../src/platform/project-root.ts';

/** Pages take their scripts and looks from what is built, and worker threads run from it. `npm start` makes it by itself. */
export const buildProgram = () => promisify(execFile)(process.execPath, [join(projectRoot, 'bin/build.mjs')]);
