// A connection of its own on which programs wake each other by NOTIFY. Nothing travels on it: whoever wakes looks for himself.
// It may break at any time, and behind a connection pooler it may never wake anybody: nobody may depend on it alone.
import type pg from 'pg';
import { openClient, UNREACHABLE } from './connect.ts';

export interface Wire {
  /** To be called after a commit. Calls that come close together are one. */
  tell(): void;
  /** Called when this program or another one told something, or may have done so unheard. Answers with the way to stop it. */
  listen(onNews: () => void): () => void;
  close(): Promise<void>;
}

const GATHER_MS = 100;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

export function openWire(connection: pg.ClientConfig, onFault: (error: Error) => void): Wire {
  const listeners = new Set<() => void>();
  let connecting: Promise<pg.Client> | null = null;
  let gathering: NodeJS.Timeout | null = null;
  let waiting: NodeJS.Timeout | null = null;
  let sending: Promise<void> = Promise.resolve();
  let pauseMs = FIRST_PAUSE_MS;
  let isListening = false;
  let isClosed = false;

  const wake = () => {
    for (const onNews of listeners) onNews();
  };

  async function connect(): Promise<pg.Client> {
    let lost = false;
    const lose = (error?: Error) => {
      if (lost) return;
      lost = true;
      connecting = null;
      isListening = false;
      if (error && !isClosed) onFault(error);
      if (listeners.size > 0) tryAgain();
    };
    const settings = { application_name: 'tocsin wire', connectionTimeoutMillis: 10_000, ...UNREACHABLE };
    try {
      return await openClient({ ...settings, ...connection }, (client) => {
        client.on('error', (error) => {
          lose(error);
          client.end().catch(() => {});
        });
        client.on('end', () => lose());
        client.on('notification', wake);
      });
    } catch (error) {
      lose(error as Error);
      throw error;
    }
  }

  const connected = (): Promise<pg.Client> => {
    connecting ??= connect();
    return connecting;
  };

  function tryAgain(): void {
    if (isClosed || waiting) return;
    waiting = setTimeout(() => {
      waiting = null;
      void startListening();
    }, pauseMs);
    waiting.unref();
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }

  /** What failed once may never answer again: the next word goes over a new connection. */
  async function hangUp(): Promise<void> {
    const client = await connecting?.catch(() => null);
    await client?.end().catch(() => {});
  }

  async function startListening(): Promise<void> {
    if (isListening || isClosed) return;
    try {
      await (await connected()).query('listen tocsin');
      isListening = true;
      pauseMs = FIRST_PAUSE_MS;
      // What was told meanwhile was not heard.
      wake();
    } catch {
      await hangUp();
      tryAgain();
    }
  }

  async function send(): Promise<void> {
    try {
      await (await connected()).query('notify tocsin');
    } catch {
      // The others will look by themselves sooner or later.
      await hangUp();
    }
    if (!isListening) wake();
  }

  return {
    tell() {
      if (gathering || isClosed) return;
      gathering = setTimeout(() => {
        gathering = null;
        sending = send();
      }, GATHER_MS);
      gathering.unref();
    },

    listen(onNews) {
      listeners.add(onNews);
      void startListening();
      return () => void listeners.delete(onNews);
    },

    async close() {
      if (gathering) {
        clearTimeout(gathering);
        sending = send();
      }
      await sending;
      isClosed = true;
      listeners.clear();
      if (waiting) clearTimeout(waiting);
      await hangUp();
    },
  };
}
