// Whether an organization asks for a PIN when somebody acknowledges by SMS or in a call.

import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { IS_IN_USE, IS_PHONE } from '../sql-parts/contact-methods.ts';

export interface PinDemandChange {
  before: boolean;
  after: boolean;
}

/** null: it is so already. */
export async function changePinDemand(
  tx: Tx,
  organizationId: OrganizationId,
  isRequired: boolean,
): Promise<PinDemandChange | null> {
  const changed = await tx.query(sql`
    update organization set phone_pin_required = ${isRequired}
    where id = ${organizationId} and phone_pin_required <> ${isRequired} returning id`);
  return changed.length === 0 ? null : { before: !isRequired, after: isRequired };
}

export interface PinDemand {
  isRequired: boolean;
  /** Members who are told by SMS or call. */
  phones: number;
  /** Of them, who could not acknowledge that way. */
  withoutPin: number;
}

export const selectPinDemand = async (
  db: ReadDatabase,
  organizationId: OrganizationId,
): Promise<PinDemand> => {
  const found = first(
    await db.query<PinDemand>(sql`
      select phone_pin_required as "isRequired", count(account.id)::int as "phones",
        count(account.id) filter (where phone_pin_hash is null)::int as "withoutPin"
      from organization
      left join membership on membership.organization_id = organization.id
      left join account on account.id = membership.account_id and is_active
        and exists (select from contact_method where contact_method.account_id = account.id
          and ${IS_PHONE} and ${IS_IN_USE})
      where organization.id = ${organizationId} group by organization.id`),
  );
  if (!found) throw new Error(`There is no organization ${organizationId}`);
  return found;
};
