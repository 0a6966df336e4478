// Where what is in a unit in alarm can go, and how long that can wait, in a line or two.
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import { CALM_DAYS } from '../../domain/rescue/rank-refuges.ts';
import { describeSpan } from '../../domain/span.ts';
import { sayValue } from '../../domain/words/say-value.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { type RescuePlan, readPlan } from '../rescue/read-plan.ts';
import type { FoundRefuge } from '../rescue/rescue-rows.ts';

export const rescuePath = (serviceId: number): string => `/alarms/${serviceId}/rescue`;

export interface RescueLines {
  serviceId: number;
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
    danger: sayDanger(plan.danger, language),
    nearest: sayNearest(plan, language),
    canReserve: unit.canOperate,
  };
}

const ROUND_MS = 5 * 60_000;

/** No sharper than it is known. */
export function sayDanger(danger: RescuePlan['danger'], language: Language): string | null {
  if (!danger) return null;
  const span = describeSpan(Math.max(1, Math.round(danger.inMs / ROUND_MS)) * ROUND_MS, language);
  const value = sayValue(danger.value, { unit: danger.unit, words: null }, language);
  return language.say('About {span} to {value} at its own rate.', { span, value });
}

function sayNearest({ refuges, reservations }: RescuePlan, language: Language): string {
  const { say } = language;
  const [reserved] = reservations;
  if (reserved) return say('Room is reserved in {name}.', { name: reserved.refugeName });
  const [best] = refuges ?? [];
  return best
    ? say('Nearest free: {place}.', { place: sayRefuge(best, language) })
    : say('No other unit has room for it that is known to be well.');
}

/** `Freezer 12, Room 104, 6 racks free, −81 °C, no alarm for 30 days` */
export function sayRefuge(
  { name, locationName, freeRacks, value, unit, calmDays }: FoundRefuge,
  language: Language,
) {
  const { say } = language;
  return [
    name,
    locationName,
    say('{count, plural, one {# rack free} other {# racks free}}', { count: freeRacks }),
    value === null ? null : sayValue(value, { unit, words: null }, language),
    calmDays === null
      ? say('never an alarm')
      : say('{days, plural, one {no alarm for # day} other {no alarm for # days}}', {
          days: Math.min(calmDays, CALM_DAYS),
        }),
  ]
    .filter((part) => part !== null)
    .join(', ');
}

export const RescuePart = ({ serviceId, danger, nearest, canReserve }: RescueLines) => {
  const { say } = useLanguage();
  return (
    <p class="rescue-line" data-part="rescue">
      {danger !== null && <strong>{danger} </strong>}
      {nearest} {canReserve && <a href={rescuePath(serviceId)}>{say('Where its contents go')}</a>}
    </p>
  );
};
