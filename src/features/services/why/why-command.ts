import { isId, type ServiceId } from '../../../domain/ids.ts';
import { explainService } from '../../../engine/alarm-state/explain.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';
import type { Output } from '../../../platform/terminal.ts';

/** `tocsin why`: for every band its first breach, the minutes left and what holds it back. Answers with the exit code. */
export async function tellWhy(
  { db, now }: { db: ReadDatabase; now: Date },
  { service, isJson }: { service: string; isJson: boolean },
  out: Output,
): Promise<0 | 1> {
  const id = /^\d+$/.test(service) ? Number(service) : 0;
  const explanation = isId(id) ? await explainService(db, id as ServiceId, now) : null;
  if (!explanation) {
    out.stderr(`There is no service ${service}`);
    return 1;
  }
  if (isJson) {
    out.stdout(JSON.stringify(explanation));
    return 0;
  }
  out.stdout(`Severity: ${explanation.severity}`);
  out.stdout(`Stale: ${explanation.staleAt ?? 'never'}`);
  for (const {
    channel,
    band,
    limit,
    measured,
    standing,
    breachedSince,
    minutesLeft,
    sustainedMinutes,
  } of explanation.bands) {
    if (limit === null) continue;
    const breach = breachedSince ? `, since ${breachedSince}` : '';
    const left = minutesLeft ? `, ${minutesLeft.toFixed(1)} of ${sustainedMinutes} min left` : '';
    out.stdout(`${channel} ${band} ${limit}: ${standing} (now ${measured ?? 'unknown'}${breach}${left})`);
  }
  for (const hold of explanation.heldBackBy) out.stdout(`Held back: ${hold}`);
  return 0;
}
