import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../src/platform/project-root.ts';

/** For tests that start a worker thread: it runs from the bundle, which `npm start` makes by itself. */
export const buildProgram = () => promisify(execFile)(process.execPath, [join(projectRoot, 'bin/build.js')]);
