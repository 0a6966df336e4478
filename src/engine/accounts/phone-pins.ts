// The PINs of accounts for answers by SMS and in calls.

import sql from 'sql-template-tag';
import type { AccountId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { IS_IN_USE, IS_PHONE } from '../sql-parts/contact-methods.ts';

/** Whether there was something to change; null removes it. */
export const setPinHash = async (tx: Tx, accountId: AccountId, pinHash: string | null): Promise<boolean> =>
  first(
    await tx.query<{ id: AccountId }>(sql`
      update account set phone_pin_hash = ${pinHash}
      where id = ${accountId} and phone_pin_hash is distinct from ${pinHash} returning id`),
  ) !== null;

export interface OwnPin {
  hasPin: boolean;
  /** Organizations of the person that ask for one, by name. */
  askedBy: string[];
  /** Whether there is a number from which an answer could come. */
  hasPhone: boolean;
}

export const selectOwnPin = async (db: ReadDatabase, accountId: AccountId): Promise<OwnPin> => {
  const found = first(
    await db.query<OwnPin>(sql`
      select phone_pin_hash is not null as "hasPin",
        array(select organization.name from membership join organization on organization.id = organization_id
          where account_id = account.id and phone_pin_required order by organization.name) as "askedBy",
        exists (select from contact_method where account_id = account.id and ${IS_PHONE}
          and ${IS_IN_USE}) as "hasPhone"
      from account where id = ${accountId}`),
  );
  return found ?? { hasPin: false, askedBy: [], hasPhone: false };
};
