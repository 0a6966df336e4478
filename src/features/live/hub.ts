// The streams of this program's visitors. At each wake it looks once for all of them who may still listen and what changed
// in which organization, and tells those whom it concerns that something did.
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import type { TokenSigner } from '../../platform/auth/token.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import { selectListeners, selectPictures } from './queries.ts';

export interface Stream {
  accountId: AccountId;
  token: string;
  tell(): void;
  beat(): void;
  end(): void;
}

export interface HubDeps {
  db: Database;
  clock: Clock;
  log: Log;
  signer: TokenSigner;
}

export interface Hub {
  /** False when the account has as many streams as one person needs, or may not listen at all. */
  join(stream: Stream): Promise<boolean>;
  leave(stream: Stream): void;
  close(): void;
}

const MOST_PER_ACCOUNT = 20;
const BEAT_MS = 25_000;

export function openHub({ db, clock, log, signer }: HubDeps): Hub {
  /** With what each has seen; null: it is still joining. */
  const streams = new Map<Stream, string | null>();
  let looking: Promise<void> | null = null;
  let isWokenAgain = false;

  /** What each stream's visitor can see now; missing for those who may not listen any more. */
  async function lookFor(some: readonly Stream[]): Promise<Map<Stream, string>> {
    const now = clock();
    const accounts = await selectListeners(db, [...new Set(some.map(({ accountId }) => accountId))]);
    const byId = new Map(accounts.map((account) => [account.id, account]));
    const organizationIds = [...new Set(accounts.flatMap((account) => account.organizationIds))];
    const pictures = new Map<OrganizationId, string>(
      (await selectPictures(db, organizationIds, now)).map((one) => [one.organizationId, one.picture]),
    );
    const seen = new Map<Stream, string>();
    for (const stream of some) {
      const account = byId.get(stream.accountId);
      const claims = await signer.read(stream.token, now);
      if (!account || claims?.generation !== account.generation) continue;
      if (claims.sessionId !== undefined && !account.sessionIds.includes(claims.sessionId)) continue;
      const parts = account.organizationIds.map((id) => `${id}:${pictures.get(id) ?? ''}`);
      seen.set(stream, parts.join(' '));
    }
    return seen;
  }

  async function lookForAll(): Promise<void> {
    const known = [...streams].filter(([, seen]) => seen !== null).map(([stream]) => stream);
    if (known.length === 0) return;
    const seen = await lookFor(known);
    for (const stream of known) {
      const before = streams.get(stream);
      const after = seen.get(stream);
      // Left meanwhile.
      if (before === undefined) continue;
      if (after === undefined) {
        streams.delete(stream);
        stream.end();
      } else if (after !== before) {
        streams.set(stream, after);
        stream.tell();
      }
    }
  }

  /** One look at a time; news that come during one are looked for once more. */
  function wake(): Promise<void> {
    if (looking) {
      isWokenAgain = true;
      return looking;
    }
    looking = (async () => {
      do {
        isWokenAgain = false;
        await lookForAll();
      } while (isWokenAgain);
    })()
      .catch((error) => log.warn({ err: error }, 'the live streams could not look for news'))
      .finally(() => {
        looking = null;
      });
    return looking;
  }

  const stopListening = db.listen(() => void wake());
  const beating = setInterval(async () => {
    await wake();
    for (const stream of streams.keys()) stream.beat();
  }, BEAT_MS);
  beating.unref();

  return {
    async join(stream) {
      const own = [...streams.keys()].filter(({ accountId }) => accountId === stream.accountId);
      if (own.length >= MOST_PER_ACCOUNT) return false;
      streams.set(stream, null);
      const seen = (await lookFor([stream])).get(stream);
      const isWelcome = seen !== undefined && streams.has(stream);
      if (isWelcome) streams.set(stream, seen);
      else streams.delete(stream);
      return isWelcome;
    },
    leave: (stream) => void streams.delete(stream),
    close() {
      stopListening();
      clearInterval(beating);
      for (const stream of streams.keys()) stream.end();
      streams.clear();
    },
  };
}
