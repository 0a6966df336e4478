import type { PoolClient } from 'pg';
import type { Sql } from 'sql-template-tag';
import { toLiteral } from './write-out.ts';

interface Prepared {
  /** By text. */
  names: Map<string, string>;
  /** Also of those that failed: a name is never used twice. */
  tried: number;
}

const preparedOn = new WeakMap<PoolClient, Prepared>();

/**
 * Statements that come many times a second are planned once for each connection: that takes longer than executing them
 * on a few hundred rows. Answers with their calls, which can travel in one message.
 */
export async function prepareAll(client: PoolClient, statements: readonly Sql[]): Promise<string[]> {
  const prepared = preparedOn.get(client) ?? { names: new Map(), tried: 0 };
  preparedOn.set(client, prepared);
  const described = statements.map(describe);
  const missing = new Set(described.map(({ text }) => text).filter((text) => !prepared.names.has(text)));
  if (missing.size > 0) await prepare(client, prepared, [...missing]);
  return described.map(({ text, values }) => {
    const call = `execute ${prepared.names.get(text)}`;
    return values.length === 0 ? call : `${call} (${values.join(', ')})`;
  });
}

async function prepare(client: PoolClient, prepared: Prepared, texts: string[]): Promise<void> {
  const named = texts.map((text) => {
    prepared.tried += 1;
    return { text, name: `statement_${prepared.tried}` };
  });
  await client.query(named.map(({ text, name }) => `prepare ${name} as ${text}`).join(';\n'));
  for (const { text, name } of named) prepared.names.set(text, name);
}

/** What has no type of its own stays in the text; a value whose type the place cannot tell says it. */
function describe({ strings, values }: Sql): { text: string; values: string[] } {
  let text = strings[0] ?? '';
  const given: string[] = [];
  for (const [index, value] of values.entries()) {
    if (value === null || value === undefined) text += 'null';
    else {
      given.push(toLiteral(value));
      text += `$${given.length}${value instanceof Date ? '::timestamptz' : ''}`;
    }
    text += strings[index + 1] ?? '';
  }
  return { text, values: given };
}
