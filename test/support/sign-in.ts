import sql from 'sql-template-tag';
import { PASSWORD, type Person } from './people.ts';
import type { TestServer } from './test-server.ts';

export const askToken = (
  server: TestServer,
  form: Record<string, string>,
  headers: Record<string, string> = {},
) => fetch(`${server.url}/api/v1/auth/token`, { method: 'POST', body: new URLSearchParams(form), headers });

export async function signsIn(server: TestServer, person: Person, password = PASSWORD): Promise<string> {
  const answer = await askToken(server, { username: person.email, password });
  const { access_token } = (await answer.json()) as { access_token: string };
  return access_token;
}

export const askMe = (server: TestServer, token: string) =>
  fetch(`${server.url}/api/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } });

/** Everything on record about one account, oldest first. */
export async function auditOf(
  server: TestServer,
  person: Person,
): Promise<{ action: string; detail: object }[]> {
  return server.db.query(
    sql`select action, detail from audit where account_id = ${person.id} or detail->>'account' = ${String(person.id)} order by id`,
  );
}
