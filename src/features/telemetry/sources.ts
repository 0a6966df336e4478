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
  const nameOf = (secret: string) => hashSourceSecret(secret).toString('base64');
  return {
    async find(secret) {
      const known = remembered.get(nameOf(secret));
      if (known) return known;
      const source = await selectSourceBySecret(db, hashSourceSecret(secret));
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      if (source) remembered.set(nameOf(secret), source);
      return source;
    },
    forget(secret) {
      remembered.delete(nameOf(secret));
    },
  };
}
