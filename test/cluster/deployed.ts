// The files of deploy/database, as an administrator installs them, with addresses of this machine.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/platform/project-root.ts';

export const deployed = (name: string): string => join(projectRoot, 'deploy/database', name);

/** What stands in a file of variables, changed; what it does not mention cannot be. */
export function readDeployedVariables(name: string, changes: Record<string, string>): Record<string, string> {
  const given = Object.fromEntries(
    [...readFileSync(deployed(name), 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [
      key,
      value,
    ]),
  );
  const unknown = Object.keys(changes).filter((key) => !(key in given));
  if (unknown.length > 0) throw new Error(`${name} does not mention ${unknown.join(', ')}`);
  return { ...given, ...changes };
}
