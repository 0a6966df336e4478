// The most common passwords of eight characters or more, in lower case. docs/common-passwords.md tells where they come from.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../project-root.ts';

let common: ReadonlySet<string> | undefined;

/** Most programs set no password: the list is read when the first one does. */
export function isCommonPassword(text: string): boolean {
  common ??= new Set(readFileSync(join(projectRoot, 'lists/common-passwords.txt'), 'utf8').split(/\r?\n/));
  return text !== '' && common.has(text);
}
