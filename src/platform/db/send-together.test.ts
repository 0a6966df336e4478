// The driver as it is installed, against a server that only takes note: what we take from it by hand is still there.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { sendTogether } from './send-together.ts';

const message = (type: string, body: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const READY = message('Z', Buffer.from('I'));
const WELCOME = Buffer.concat([message('R', Buffer.alloc(4)), READY]);

/** One column of text, `name`. */
const COLUMN = message(
  'T',
  Buffer.from('0001 6e616d6500 00000000 0000 00000019 ffff ffffffff 0000'.replaceAll(' ', ''), 'hex'),
);
const row = (value: string) => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(value.length);
  return message('D', Buffer.concat([Buffer.from([0, 1]), length, Buffer.from(value)]));
};
const DONE = message('C', Buffer.from('SELECT 1\0'));

/** Types of the messages in a chunk, and all their text. */
function readMessages(chunk: Buffer): { types: string; text: string } {
  let types = '';
  for (let at = 0; at < chunk.length; at += 1 + chunk.readInt32BE(at + 1))
    types += String.fromCharCode(chunk[at] ?? 0);
  return { types, text: chunk.toString('latin1') };
}

test('statements travel in one piece, values beside them, and each gets its rows', async () => {
  const heard: Buffer[] = [];
  const server = createServer((socket: Socket) => {
    socket.once('data', () => {
      socket.write(WELCOME);
      socket.on('data', (chunk) => {
        heard.push(chunk);
        if (heard.length === 1)
          socket.write(Buffer.concat([COLUMN, row('Vera'), DONE, COLUMN, row('Oscar'), DONE, READY]));
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new pg.Client({
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    user: 'lab',
    database: 'lab',
    ssl: false,
  });
  onTestFinished(async () => {
    await client.end();
    server.close();
  });
  await client.connect();

  const at = new Date('2026-03-24T09:00:00.250Z');
  const answers = await sendTogether(
    client as unknown as pg.PoolClient,
    [sql`select name from people where id = ${7} and ids = any(${[1, 2]})`, sql`select ${at}`],
    true,
  );
  expect(answers.map(({ rows, tag }) => [rows, tag])).toEqual([
    [[{ name: 'Vera' }], 'SELECT 1'],
    [[{ name: 'Oscar' }], 'SELECT 1'],
  ]);
  const [sent] = heard.map(readMessages);
  expect(sent?.types).toBe('PBDEPBDES');
  expect(sent?.text).toContain('select name from people where id = $1 and ids = any($2)\0');
  expect(sent?.text).toContain('{"1","2"}');
  expect(sent?.text).toContain('$1::timestamptz');
});
