// Where a page hands out an address that nobody else can open, it says so, and what to do.

import { organizationIdsOf } from '../../domain/accounts/requester.ts';
import { findAddressTrouble } from '../../domain/public-address.ts';
import { sayWhomToAsk } from '../../domain/words/say-whom-to-ask.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { selectKeeperNames } from '../accounts/keepers.ts';
import type { Visitor } from './visitor.ts';

export interface AddressDoubt {
  trouble: string;
  /** null: the visitor can put it right. */
  whom: string | null;
}

/** null: others can open it. */
export async function readAddressDoubt(
  db: ReadDatabase,
  visitor: Visitor,
  linkBase: string,
): Promise<AddressDoubt | null> {
  const trouble = findAddressTrouble(linkBase, visitor.language);
  if (trouble === null) return null;
  if (visitor.isKeeper) return { trouble, whom: null };
  const names = await selectKeeperNames(db, organizationIdsOf(visitor));
  return { trouble, whom: sayWhomToAsk(names, visitor.language) };
}

export const AddressWarning = ({ doubt }: { doubt: AddressDoubt | null }) => {
  const { say } = useLanguage();
  return (
    doubt && (
      <p class="notice notice-error">
        {doubt.trouble}.{' '}
        {doubt.whom === null ? (
          <a href="/settings/delivery#public_url">{say('Set the public address')}</a>
        ) : (
          say('Ask {whom} to set the public address.', { whom: doubt.whom })
        )}
      </p>
    )
  );
};
