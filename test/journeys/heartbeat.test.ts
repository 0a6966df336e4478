// Somebody outside is called every minute while all is well. self-watch.test.ts tells of each case in which it is not.
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHeartbeat } from '../../src/engine/self-watch/heartbeat.ts';
import { enrolProgram } from '../../src/engine/self-watch/programs.ts';
import { findClosedAddress } from '../support/llm-server.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { answers, neverAnswers, redirectsTo, startWebhookReceiver } from '../support/webhook-receiver.ts';

let server: TestServer;
let beat: () => Promise<void>;
beforeEach(async () => {
  server ??= await startServer();
  const program = enrolProgram(server.db, ['engine', 'deliver'], server.clock.read());
  beat = () => program.beat(server.clock.read());
  await beat();
});

function openHeart(url: string | URL, timeoutMs?: number) {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const strike = createHeartbeat({ db: server.db, log, url: new URL(url), ...(timeoutMs && { timeoutMs }) });
  return {
    lines,
    /** In steps of five seconds, as the program does it. */
    async live(ms: number, isBeating = true) {
      for (let passed = 0; passed < ms; passed += seconds(5)) {
        server.clock.advance(seconds(5));
        if (isBeating) await beat();
        await strike(server.clock.read());
      }
    },
  };
}

test('every minute while all is well', async () => {
  const watcher = await startWebhookReceiver(answers(200));
  const heart = openHeart(`${watcher.url}/ping/geheim`);
  await heart.live(minutes(5));
  expect(watcher.received).toHaveLength(5);
  expect(watcher.received[0]).toMatchObject({ method: 'GET', path: '/ping/geheim' });
  expect(heart.lines).toEqual([]);
});

test('not while something is wrong, which is said once; again as soon as it is over', async () => {
  const watcher = await startWebhookReceiver(answers(200));
  const heart = openHeart(watcher.url);
  await heart.live(seconds(30));
  const before = watcher.received.length;
  await heart.live(minutes(3), false);
  expect(watcher.received).toHaveLength(before);
  expect(heart.lines).toEqual([expect.stringContaining('No program runs the clock')]);
  await heart.live(seconds(5));
  expect(watcher.received).toHaveLength(before + 1);
  expect(heart.lines).toHaveLength(2);
});

describe('an address that does not take the call is said once, without the address, and nothing stops', () => {
  test.each([
    ['refuses', async () => (await startWebhookReceiver(answers(404))).url, undefined, 'answered 404'],
    [
      'leads elsewhere',
      async () => (await startWebhookReceiver(redirectsTo('/other'))).url,
      undefined,
      'answered 307',
    ],
    ['is not there', async () => findClosedAddress(), undefined, 'could not be reached (ECONNREFUSED)'],
    ['hangs', async () => (await startWebhookReceiver(neverAnswers)).url, 50, 'did not answer in time'],
  ])('%s', async (_, findUrl, timeoutMs, reason) => {
    const url = await findUrl();
    const heart = openHeart(url, timeoutMs);
    await heart.live(minutes(3));
    expect(heart.lines).toEqual([expect.stringContaining(reason)]);
    expect(heart.lines[0]).not.toContain(new URL(url).port);
  });
});
