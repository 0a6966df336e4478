// Where what is in a unit in alarm can go, and how long that can wait, in a line or two.
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { readPlan } from '../rescue/read-plan.ts';
import { sayDanger, sayNearest, sayTurn } from '../rescue/rescue-words.ts';

export const rescuePath = (serviceId: number): string => `/alarms/${serviceId}/rescue`;

/** Who would go where if a place had no power. */
export const DRILL = '/rescue/drill';

export interface RescueLines {
  serviceId: number;
  /** null: it waits with nobody. */
  turn: string | null;
  danger: string | null;
  nearest: string;
  canReserve: boolean;
}

/** null: there is no alarm, or nothing is said of it for such a day. */
export async function readRescueLines(
  db: ReadDatabase,
  unit: { serviceId: ServiceId; organizationId: OrganizationId; canOperate: boolean },
  { language, now }: { language: Language; now: Date },
): Promise<RescueLines | null> {
  const plan = await readPlan(db, unit, now);
  if (!plan || plan.episodeId === null || plan.refuges === null) return null;
  return {
    serviceId: unit.serviceId,
    turn: sayTurn(plan.turn, language),
    danger: sayDanger(plan.danger, language),
    nearest: sayNearest(plan, language),
    canReserve: unit.canOperate,
  };
}

export const RescuePart = ({ serviceId, turn, danger, nearest, canReserve }: RescueLines) => {
  const { say } = useLanguage();
  return (
    <p class="rescue-line" data-part="rescue">
      {turn !== null && <strong>{turn} </strong>}
      {danger !== null && <strong>{danger} </strong>}
      {nearest} {canReserve && <a href={rescuePath(serviceId)}>{say('Where its contents go')}</a>}
    </p>
  );
};
