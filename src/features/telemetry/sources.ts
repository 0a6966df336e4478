import { hashSourceSecret } from '../../platform/auth/source-secret.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { openGate } from '../../platform/turns.ts';
import { type Source, selectSourceBySecret } from './queries.ts';

const MOST_REMEMBERED = 10_000;
/** Anybody may make up secrets: looking for them must not take the connections that readings need. */
const MOST_LOOKED_FOR_AT_ONCE = 2;

/** Whoever hands something in. */
export interface Sender {
  secret: string;
  /** What it stood for when it was last asked for. */
  source: Source;
}

export interface Sources {
  find(secret: string): Promise<Sender | null>;
  /** With the source as it is remembered. If that is no longer so, once more with what the secret stands for now. */
  use<Outcome>(
    sender: Sender,
    take: (source: Source) => Promise<Outcome>,
  ): Promise<Outcome | 'unknown_source'>;
}

/** Remembers sources by the hash of their secret; that each still exists is checked in the transaction of its readings. */
export function rememberSources(db: ReadDatabase): Sources {
  const remembered = new Map<string, Source>();
  const gate = openGate({ atOnce: MOST_LOOKED_FOR_AT_ONCE });
  const find = async (secret: string): Promise<Sender | null> => {
    const hash = hashSourceSecret(secret);
    const known = remembered.get(hash.toString('base64'));
    if (known) return { secret, source: known };
    const source = await gate.pass('unknown', () => selectSourceBySecret(db, hash));
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    if (source) remembered.set(hash.toString('base64'), source);
    return source && { secret, source };
  };
  return {
    find,
    async use(sender, take) {
      const outcome = await take(sender.source);
      if (outcome !== 'unknown_source') return outcome;
      remembered.delete(hashSourceSecret(sender.secret).toString('base64'));
      const changed = await find(sender.secret);
      if (!changed) return outcome;
      sender.source = changed.source;
      return take(changed.source);
    },
  };
}
