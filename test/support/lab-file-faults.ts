import { checkLabFile } from '../../src/features/lab-file/read/check-lab-file.ts';
import { readLabFile } from '../../src/features/lab-file/read/read-lab-file.ts';

/** Each fault of a lab file in one line: place, path, message. */
export function faultsOf(text: string): string[] {
  const { file, faults } = readLabFile(text);
  checkLabFile(file, faults);
  return faults
    .list()
    .map(({ line, column, path, message }) =>
      [`${line}:${column}`, ...(path ? [path] : []), message].join(' | '),
    );
}

/** The body of one service, at column 9 from line 5 on. */
export const service = (body: string) =>
  `organizations:
  - name: Lab
    services:
      - name: Freezer
${body.replaceAll(/^/gm, '        ')}`;
export const inService = 'organizations[0].services[0]';
