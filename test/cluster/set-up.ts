import { buildProgram } from '../support/build-program.ts';

export async function setup(): Promise<void> {
  await buildProgram();
}
