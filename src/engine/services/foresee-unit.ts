// How a service would stand after an act: it is done, looked at, and undone.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { Severity } from '../../domain/judging/severity.ts';
import type { Language } from '../../domain/language/speak.ts';
import type { Result } from '../../domain/result.ts';
import { type Database, first, type Tx } from '../../platform/db/database.ts';
import { rehearse } from '../../platform/db/rehearse.ts';
import { HAS_LIMITS } from '../sql-parts/service-state.ts';

interface Seen {
  severity: Severity;
  acknowledgements: number;
  hasLimits: boolean;
  devices: number;
}

export interface UnitOutlook {
  before: Seen;
  after: Seen;
}

/** null: the act would be refused. */
export const foreseeUnit = (
  db: Database,
  serviceId: ServiceId,
  act: (tx: Tx) => Promise<Result<unknown, unknown>>,
): Promise<UnitOutlook | null> =>
  rehearse(db, async (tx) => {
    const before = await selectSeen(tx, serviceId);
    const done = await act(tx);
    const after = done.ok ? await selectSeen(tx, serviceId) : null;
    return before && after && { before, after };
  });

const selectSeen = async (tx: Tx, serviceId: ServiceId) =>
  first(
    await tx.query<Seen>(sql`
      select state.severity, ${HAS_LIMITS} as "hasLimits",
        (select count(*)::int from acknowledgement where service_id = state.service_id and ended_at is null)
          as "acknowledgements",
        (select count(*)::int from device where device.service_id = state.service_id) as "devices"
      from alarm_state state where state.service_id = ${serviceId}`),
  );

/** What an act would end, in words. */
export function sayOutlook({ before, after }: UnitOutlook, { say }: Language): string[] {
  const ended = before.acknowledgements - after.acknowledgements;
  return [
    ...(before.severity !== 'normal' && after.severity === 'normal' ? [say('Its alarm ends at once.')] : []),
    ...(ended > 0
      ? [
          say('{ended, plural, one {# acknowledgement ends} other {# acknowledgements end}} at once.', {
            ended,
          }),
        ]
      : []),
    ...(before.hasLimits && !after.hasLimits ? [say('No limits are left: no value raises an alarm.')] : []),
    ...(before.devices > 0 && after.devices === 0
      ? [
          say(
            'It has no other device: nothing is heard of it any more, and after a while it counts as stale.',
          ),
        ]
      : []),
  ];
}
