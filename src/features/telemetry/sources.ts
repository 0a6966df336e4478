import { hashSourceSecret } from '../../platform/auth/source-secret.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { openGate } from '../../platform/gate.ts';
import { type Source, selectSourceBySecret } from './queries.ts';

const MOST_REMEMBERED = 10_000;
/** Anybody may make up secrets: looking for them must not take the connections that readings need. */
const MOST_LOOKED_FOR_AT_ONCE = 2;

export interface Sources {
  find(secret: string): Promise<Source | null>;
  forget(secret: string): void;
}

/** Remembers sources by the hash of their secret; that each still exists is checked in the transaction of its readings. */
export function rememberSources(db: ReadDatabase): Sources {
  const remembered = new Map<string, Source>();
  const gate = openGate(MOST_LOOKED_FOR_AT_ONCE);
  return {
    async find(secret) {
      const hash = hashSourceSecret(secret);
      const known = remembered.get(hash.toString('base64'));
      if (known) return known;
      const source = await gate.pass(() => selectSourceBySecret(db, hash));
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      if (source) remembered.set(hash.toString('base64'), source);
      return source;
    },
    forget(secret) {
      remembered.delete(hashSourceSecret(secret).toString('base64'));
    },
  };
}
