// Migrations outside a transaction: for indexes on big tables, which are built while everybody goes on reading and writing.
import type { Migration } from './migrations.ts';

/** The first line of such a file. */
const MARK = '-- Outside a transaction';

export const isOutside = ({ text }: Migration): boolean => text.startsWith(MARK);

interface Step {
  indexName: string;
  statement: string;
}

const STEP =
  /^(?:create (?:unique )?index concurrently if not exists|drop index concurrently if exists) (\w+)\b/;

/** Each can be done again after it was broken off half-way; nothing else may stand in such a file. */
export function readSteps({ name, text }: Migration): Step[] {
  return text
    .replaceAll(/^--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
    .map((statement) => {
      const indexName = STEP.exec(statement)?.[1];
      if (indexName === undefined)
        throw new Error(
          `Migration ${name} runs outside a transaction: every statement of it has to begin with ` +
            '"create index concurrently if not exists" or "drop index concurrently if exists"',
        );
      return { indexName, statement };
    });
}
