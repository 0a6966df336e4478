import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { prepareHead } from './prepared-head.ts';

const ALWAYS = { 'x-frame-options': 'DENY', 'content-security-policy': "default-src 'none'" };
const TEXT = '{"said":"−80 °C"}';

/** Two requests over one connection, one after the other, and all that came back. */
async function ask(answer: (response: ServerResponse) => void, connection: string): Promise<string> {
  const server = createServer({ keepAliveTimeout: 72_000 }, (_, response) => answer(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  let said = '';
  socket.setEncoding('utf8').on('data', (part) => {
    said += part;
  });
  const heard = async (count: number) => {
    while (said.split(TEXT).length - 1 < count) await once(socket, 'data');
  };
  const line = `GET / HTTP/1.1\r\nHost: lab\r\nConnection: ${connection}\r\n\r\n`;
  socket.write(line);
  await heard(1);
  if (connection === 'close') return said;
  socket.write(line);
  await heard(2);
  return said;
}

/** Without the time, and in any order. */
const headsOf = (said: string) =>
  said
    .split(TEXT)
    .slice(0, -1)
    .map((head) =>
      head
        .replace(/^Date: .*$/im, 'date: now')
        .trim()
        .toLowerCase()
        .split('\r\n')
        .toSorted(),
    );

const byNode = (response: ServerResponse) =>
  response
    .writeHead(503, { ...ALWAYS, 'retry-after': '5', 'content-length': Buffer.byteLength(TEXT) })
    .end(TEXT);

const prepared = prepareHead(ALWAYS, 72_000);
const atOnce = (response: ServerResponse) => prepared.answer(response, 503, [['retry-after', '5']], TEXT);

test.each(['keep-alive', 'close'])('reads as what Node writes: connection %s', async (connection) => {
  const said = await ask(atOnce, connection);
  expect(said).toMatch(/^date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r$/im);
  expect(headsOf(said)).toEqual(headsOf(await ask(byNode, connection)));
});

test('says what was answered to whoever looks at the response', async () => {
  const statuses: unknown[] = [];
  await ask((response) => {
    atOnce(response);
    statuses.push(response.statusCode, response.headersSent);
  }, 'keep-alive');
  expect(statuses).toEqual([503, true, 503, true]);
});
