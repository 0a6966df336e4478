import { message } from '../../domain/language/message.ts';
import type { Sayable } from '../../domain/language/sayable.ts';
import {
  findOldestKept,
  LONGEST_RETENTION_YEARS,
  type MostDays,
  readRetentionYears,
} from '../../domain/readings/retention.ts';
import { ok, refuse } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { changeRetention, selectRetention } from '../../engine/organizations/retention.ts';
import type { SettingsVerb } from '../../engine/pages/settings-routes.ts';
import { hasOlderPacks } from '../../engine/readings/delete-expired.ts';

export type RetentionRefusal = 'not_years' | 'must_confirm';

export const RETENTION_REFUSALS: Record<RetentionRefusal, [field: string, text: Sayable]> = {
  not_years: [
    'years',
    ({ say }) => say('Give a whole number of years from 1 to {most}.', { most: LONGEST_RETENTION_YEARS }),
  ],
  must_confirm: [
    'confirmed',
    message(
      'Nothing is changed yet: readings that are stored would be deleted. Tick the box if that is meant.',
    ),
  ],
};

/** `confirmed` names the years that somebody has seen what they cost. */
export const makeSetRetention =
  (mostDays: MostDays): SettingsVerb<RetentionRefusal> =>
  async (tx, requester, { organizationId, form }, now) => {
    const years = readRetentionYears(form.years);
    if (years === null) return refuse('not_years');
    const isShorter = years < (await selectRetention(tx, organizationId));
    const oldest = findOldestKept(now.getTime(), years, mostDays);
    const isLosing = isShorter && (await hasOlderPacks(tx, organizationId, oldest));
    if (isLosing && form.confirmed !== String(years)) return refuse('must_confirm');
    const changed = await changeRetention(tx, organizationId, years, now);
    if (!changed) return ok({});
    const detail = { retention_years: changed };
    await writeAudit(tx, requester, { action: 'organization.retention', organizationId, detail }, now);
    return ok({});
  };
