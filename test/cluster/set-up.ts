import { buildProgram } from '../support/build-program.ts';
import { findInstalled } from './installed.ts';

export async function setup(): Promise<void> {
  findInstalled();
  await buildProgram();
}
