import { join } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { projectRoot } from './project-root.ts';

/** Of a thread's entry: bin/build.mjs bundles it beside the program. */
export const threadFile = (name: string): string => join(projectRoot, 'dist', `${name}.js`);

type Given = Pick<WorkerOptions, 'resourceLimits' | 'workerData' | 'transferList'>;

/** Nothing of the program's configuration is its business. */
export const startThread = (file: string, given: Given): Worker =>
  new Worker(file, { ...given, env: {}, execArgv: [] });
