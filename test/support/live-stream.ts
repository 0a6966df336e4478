// An open page's stream, as a browser holds it.
import { onTestFinished } from 'vitest';
import type { Person } from './people.ts';
import type { TestServer } from './test-server.ts';

export interface LiveStream {
  status: number;
  headers: Headers;
  /** How often it was told that something changed. */
  changes(): number;
  /** Everything that came, as it came. */
  text(): string;
  /** Resolves when the server ends it. */
  ended: Promise<void>;
  leave(): void;
}

export async function openStream(
  server: Pick<TestServer, 'url'>,
  headers: Record<string, string>,
): Promise<LiveStream> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const answer = await fetch(`${server.url}/live`, { headers, signal: leaving.signal });
  let text = '';
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? [])
      text += decoder.decode(chunk as Uint8Array, { stream: true });
  })().catch(() => {});
  return {
    status: answer.status,
    headers: answer.headers,
    changes: () => text.split('event: changed\n').length - 1,
    text: () => text,
    ended,
    leave: () => leaving.abort(),
  };
}

export async function listens(server: TestServer, { id }: Person): Promise<LiveStream> {
  const token = await server.signer.issue({ accountId: id, generation: 1 }, server.clock.read());
  return openStream(server, { authorization: `Bearer ${token}` });
}
