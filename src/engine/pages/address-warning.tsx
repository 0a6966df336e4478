// Where a page hands out an address that nobody else can open, it says so, and what to do.

import { organizationIdsOf } from '../../domain/accounts/requester.ts';
import { english } from '../../domain/language/english.ts';
import { findAddressTrouble } from '../../domain/public-address.ts';
import { sayWhomToAsk } from '../../domain/words/say-whom-to-ask.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
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
  const trouble = findAddressTrouble(linkBase);
  if (trouble === null) return null;
  if (visitor.isKeeper) return { trouble, whom: null };
  return { trouble, whom: sayWhomToAsk(await selectKeeperNames(db, organizationIdsOf(visitor)), english) };
}

export const AddressWarning = ({ doubt }: { doubt: AddressDoubt | null }) =>
  doubt && (
    <p class="notice notice-error">
      {doubt.trouble}.{' '}
      {doubt.whom === null ? (
        <a href="/settings/delivery#public_url">Set the public address</a>
      ) : (
        `Ask ${doubt.whom} to set the public address.`
      )}
    </p>
  );
