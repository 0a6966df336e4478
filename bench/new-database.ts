import pg from 'pg';
import { type Database, openPool } from '../src/platform/db/database.ts';

/** An empty one of this name, beside the program's. */
export async function openNewDatabase(connection: pg.PoolConfig, name: string): Promise<Database> {
  const admin = new pg.Client({ ...connection, user: 'postgres', database: 'postgres' });
  await admin.connect();
  await admin.query(`create database ${pg.escapeIdentifier(name)} owner tocsin`);
  await admin.end();
  return openPool({ ...connection, user: 'tocsin', database: name }, () => {});
}
