import sql from 'sql-template-tag';
import type { Person } from './people.ts';
import type { TestServer } from './test-server.ts';

export const makeKeeper = ({ db }: Pick<TestServer, 'db'>, { id }: Pick<Person, 'id'>) =>
  db.query(sql`update account set is_keeper = true where id = ${id}`);
