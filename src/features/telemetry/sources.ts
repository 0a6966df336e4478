import { hashSourceSecret } from '../../platform/auth/source-secret.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type Source, selectSourceBySecret } from './queries.ts';

const MOST_REMEMBERED = 10_000;

export interface Sources {
  find(secret: string): Promise<Source | null>;
  forget(secret: string): void;
}

/** Remembers sources by the hash of their secret; that each still exists is checked in the transaction of its readings. */
export function rememberSources(db: ReadDatabase): Sources {
  const remembered = new Map<string, Source>();
  return {
    async find(secret) {
      const hash = hashSourceSecret(secret);
      const known = remembered.get(hash.toString('base64'));
      if (known) return known;
      const source = await selectSourceBySecret(db, hash);
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      if (source) remembered.set(hash.toString('base64'), source);
      return source;
    },
    forget(secret) {
      remembered.delete(hashSourceSecret(secret).toString('base64'));
    },
  };
}
