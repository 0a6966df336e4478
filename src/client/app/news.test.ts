import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hearNews } from './news.ts';

/** The stream of a browser, which does what it is told. */
class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static opened: Stream[] = [];
  readyState = 0;

  constructor(readonly address: string) {
    super();
    Stream.opened.push(this);
  }

  says(name: string): void {
    this.dispatchEvent(new Event(name));
  }

  turnsAway(): void {
    this.readyState = Stream.CLOSED;
    this.says('error');
  }

  close(): void {
    this.readyState = Stream.CLOSED;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', Stream);
  vi.stubGlobal('navigator', {});
  Stream.opened = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What is heard, in its order. */
function listen(): string[] {
  const heard: string[] = [];
  hearNews({ onChange: () => heard.push('changed'), onLost: () => heard.push('lost') });
  return heard;
}
const last = () => Stream.opened.at(-1) as Stream;

test('who comes in looks, and looks again at every change', () => {
  const heard = listen();
  last().says('open');
  last().says('changed');
  last().says('beat');
  expect(heard).toEqual(['changed', 'changed']);
});

test('a break is said; the browser comes back by itself', () => {
  const heard = listen();
  last().says('open');
  last().says('error');
  vi.advanceTimersByTime(30_000);
  expect([heard, Stream.opened.length]).toEqual([['changed', 'lost'], 1]);
});

test('a server that says nothing for a minute is lost, and asked anew', () => {
  const heard = listen();
  last().says('open');
  vi.advanceTimersByTime(50_000);
  last().says('beat');
  vi.advanceTimersByTime(59_000);
  expect(heard).toEqual(['changed']);
  vi.advanceTimersByTime(1_000);
  expect(heard).toEqual(['changed', 'lost']);
  vi.advanceTimersByTime(3_000);
  expect(Stream.opened).toHaveLength(2);
});

test('who is turned away comes back, each time later, up to a minute', () => {
  listen();
  const pauses: number[] = [];
  for (let time = 0; time < 7; time += 1) {
    last().turnsAway();
    const before = Date.now();
    const count = Stream.opened.length;
    while (Stream.opened.length === count) vi.advanceTimersByTime(1_000);
    pauses.push((Date.now() - before) / 1_000);
  }
  expect(pauses).toEqual([3, 6, 12, 24, 48, 60, 60]);
});

test('who was let in meanwhile is soon back', () => {
  listen();
  for (const pauseMs of [3_000, 6_000]) {
    last().turnsAway();
    vi.advanceTimersByTime(pauseMs);
  }
  last().says('open');
  last().turnsAway();
  vi.advanceTimersByTime(12_000);
  last().turnsAway();
  vi.advanceTimersByTime(3_000);
  expect(Stream.opened).toHaveLength(5);
});

test('of several tabs one holds the stream, and tells the others', async () => {
  const posted: unknown[] = [];
  const tabs: ((event: { data: string }) => void)[] = [];
  class Channel {
    addEventListener = (_: string, hear: (event: { data: string }) => void) => tabs.push(hear);
    postMessage = (message: unknown) => posted.push(message);
  }
  const waiting: (() => unknown)[] = [];
  vi.stubGlobal('BroadcastChannel', Channel);
  vi.stubGlobal('navigator', {
    locks: { request: async (_: string, hold: () => unknown) => waiting.push(hold) },
  });
  const [one, other] = [listen(), listen()];
  expect(Stream.opened).toEqual([]);
  waiting[0]?.();
  last().says('changed');
  expect([one, posted]).toEqual([['changed'], ['changed']]);
  tabs[1]?.({ data: 'changed' });
  tabs[1]?.({ data: 'lost' });
  expect(other).toEqual(['changed', 'lost']);
});
