import pg from 'pg';
import { expect, test } from 'vitest';
import { CommitUnknown, isWorkerAway, lostConnection, noConnection, retryHelps } from './passing-fault.ts';

const coded = (code: string) => Object.assign(new Error('failed'), { code });

test.each<[string, unknown]>([
  ['nobody is there', noConnection(coded('ECONNREFUSED'))],
  ['the password was changed', noConnection(coded('28P01'))],
  ['the connection was lost', lostConnection(coded('ECONNRESET'))],
  ['it broke during the commit', new CommitUnknown('lost')],
  ['the server rejects connections', coded('08004')],
  ['a read-only server', coded('25006')],
  ['a transaction that idled', coded('25P03')],
  ['a serialization failure', coded('40001')],
  ['a deadlock', coded('40P01')],
  ['the disk is full', coded('53100')],
  ['too many connections', coded('53300')],
  ['a lock timeout', coded('55P03')],
  ['a statement timeout', coded('57014')],
  ['shut down', coded('57P01')],
  ['crashed', coded('57P02')],
  ['starting up', coded('57P03')],
])('a retry helps: %s', (_, error) => expect(retryHelps(error)).toBe(true));

test.each<[string, unknown]>([
  ['a row that is there already', coded('23505')],
  ['a table that is missing', coded('42P01')],
  ['a value that does not fit', coded('22003')],
  ['an integrity violation at the commit', coded('40002')],
  ['a file that cannot be read', coded('EACCES')],
  ['our own mistake', new TypeError('x is undefined')],
  ['nothing at all', undefined],
  ['no error', 'failed'],
])('a retry does not help: %s', (_, error) => expect(retryHelps(error)).toBe(false));

const said = (code: string, where?: string) =>
  Object.assign(new pg.DatabaseError('failed', 6, 'error'), { code, where });

test.each<[string, unknown, boolean]>([
  ['the server has no connection to it', said('08006'), true],
  ['it was shut down', said('57P01', 'while executing command on 10.0.0.7:5432'), true],
  ['the server itself was shut down', said('57P01'), false],
  ['a pooler lost its server', said('08P01'), false],
  ['our own connection was lost', lostConnection(coded('ECONNRESET')), false],
  ['a statement timeout', said('57014', 'while executing command on 10.0.0.7:5432'), false],
])('a worker is away, or not: %s', (_, error, isAway) => expect(isWorkerAway(error)).toBe(isAway));
