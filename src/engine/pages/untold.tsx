// An alarm that nobody is told of by the settings of its service: why, and how to mend it or whom to ask.

import { type Requester, roleIn } from '../../domain/accounts/requester.ts';
import { canAdminister } from '../../domain/accounts/role.ts';
import { sayUntold } from '../../domain/equipment/telling.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { english } from '../../domain/language/english.ts';
import { listNames } from '../../domain/list-names.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { selectAdministrators } from '../accounts/administrators.ts';
import { selectAlarmTellings } from '../services/tellings.ts';

export interface UntoldModel {
  text: string;
  /** Where its reader can choose who is told; null: somebody else can. */
  mendPath: string | null;
  ask: string | null;
}

interface ShownAlarm {
  serviceId: ServiceId;
  severity: 'critical' | 'warning' | 'stale';
}

/** The form of a service, opened. */
export const editPath = (serviceId: number): string => `/services/${serviceId}?edit=open#edit`;

/** Of those alarms that nobody is told of. */
export async function readUntold(
  db: ReadDatabase,
  reader: Pick<Requester, 'memberships'>,
  alarms: readonly ShownAlarm[],
): Promise<ReadonlyMap<ServiceId, UntoldModel>> {
  if (alarms.length === 0) return new Map();
  const severities = new Map(alarms.map(({ serviceId, severity }) => [serviceId, severity]));
  const tellings = await selectAlarmTellings(db, [...severities.keys()]);
  const untold = tellings.flatMap((telling) => {
    const severity = severities.get(telling.serviceId);
    const why = severity && sayUntold(telling, severity);
    return why ? [{ ...telling, why }] : [];
  });
  const isOwn = (one: (typeof untold)[number]) => canAdminister(roleIn(reader, one.organizationId));
  const foreign = [
    ...new Set(untold.filter((one) => !isOwn(one)).map(({ organizationId }) => organizationId)),
  ];
  const administrators = new Map(
    (foreign.length > 0 ? await selectAdministrators(db, foreign) : []).map((one) => [
      one.organizationId,
      one.names,
    ]),
  );
  return new Map(
    untold.map((one) => [
      one.serviceId,
      {
        text: `${one.wasTold ? 'Nobody is told any more' : 'Nobody was told'}: ${one.why}.`,
        mendPath: isOwn(one) ? editPath(one.serviceId) : null,
        ask: isOwn(one) ? null : sayWhomToAsk(administrators.get(one.organizationId) ?? []),
      },
    ]),
  );
}

const sayWhomToAsk = (names: readonly string[]): string =>
  `Ask ${names.length === 0 ? 'an administrator' : listNames(names, 'or', english)} to choose who is told.`;

export const Untold = ({ text, mendPath, ask }: UntoldModel) => (
  <p class="untold">
    <strong>{text}</strong> {mendPath !== null ? <a href={mendPath}>Choose who is told</a> : ask}
  </p>
);
