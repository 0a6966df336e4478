import { hashSourceSecret } from '../../platform/auth/source-secret.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { openGate } from '../../platform/turns.ts';
import { type Source, selectSourceBySecret } from './queries.ts';

const MOST_REMEMBERED = 10_000;
/** Anybody may make up secrets: looking for them must not take the connections that readings need. */
const MOST_LOOKED_FOR_AT_ONCE = 2;

export interface Sources {
  find(secret: string): Promise<Source | null>;
  /** With the source as it is remembered. If that is no longer so, once more with what the secret stands for now. */
  use<Outcome>(
    secret: string,
    source: Source,
    take: (source: Source) => Promise<Outcome>,
  ): Promise<Outcome | 'unknown_source'>;
}

/** Remembers sources by the hash of their secret; that each still exists is checked in the transaction of its readings. */
export function rememberSources(db: ReadDatabase): Sources {
  const remembered = new Map<string, Source>();
  const gate = openGate({ atOnce: MOST_LOOKED_FOR_AT_ONCE });
  const find = async (secret: string) => {
    const hash = hashSourceSecret(secret);
    const known = remembered.get(hash.toString('base64'));
    if (known) return known;
    const source = await gate.pass('unknown', () => selectSourceBySecret(db, hash));
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    if (source) remembered.set(hash.toString('base64'), source);
    return source;
  };
  return {
    find,
    async use(secret, source, take) {
      const outcome = await take(source);
      if (outcome !== 'unknown_source') return outcome;
      remembered.delete(hashSourceSecret(secret).toString('base64'));
      const changed = await find(secret);
      return changed ? take(changed) : outcome;
    },
  };
}
