// An alarm that nobody is told of by the settings of its service: why, and how to mend it or whom to ask.

import { type Requester, roleIn } from '../../domain/accounts/requester.ts';
import { canAdminister } from '../../domain/accounts/role.ts';
import { sayUntold } from '../../domain/equipment/telling.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import { listNames } from '../../domain/list-names.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { useLanguage } from '../../platform/html/language.tsx';
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
  reader: Pick<Requester, 'memberships'> & { language: Language },
  alarms: readonly ShownAlarm[],
): Promise<ReadonlyMap<ServiceId, UntoldModel>> {
  if (alarms.length === 0) return new Map();
  const severities = new Map(alarms.map(({ serviceId, severity }) => [serviceId, severity]));
  const { say } = reader.language;
  const tellings = await selectAlarmTellings(db, [...severities.keys()]);
  const untold = tellings.flatMap((telling) => {
    const severity = severities.get(telling.serviceId);
    const why = severity && sayUntold(telling, severity, reader.language);
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
        text: one.wasTold
          ? say('Nobody is notified any more: {why}.', { why: one.why })
          : say('Nobody was notified: {why}.', { why: one.why }),
        mendPath: isOwn(one) ? editPath(one.serviceId) : null,
        ask: isOwn(one) ? null : sayWhomToAsk(administrators.get(one.organizationId) ?? [], reader.language),
      },
    ]),
  );
}

const sayWhomToAsk = (names: readonly string[], language: Language): string =>
  names.length === 0
    ? language.say('Ask an administrator to choose who is notified.')
    : language.say('Ask {names} to choose who is notified.', { names: listNames(names, 'or', language) });

export const Untold = ({ text, mendPath, ask }: UntoldModel) => {
  const { say } = useLanguage();
  return (
    <p class="untold">
      <strong>{text}</strong>{' '}
      {mendPath !== null ? <a href={mendPath}>{say('Choose who is notified')}</a> : ask}
    </p>
  );
};
