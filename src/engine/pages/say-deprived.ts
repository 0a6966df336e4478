// Who is not notified of a service any more once it is gone, in words.
import type { ServiceId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import { listNames } from '../../domain/list-names.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { listTargetNames, selectNamedTargets } from '../groups/who-is-told.ts';

export async function sayDeprived(
  db: ReadDatabase,
  serviceId: ServiceId,
  language: Language,
): Promise<string[]> {
  const names = listTargetNames(await selectNamedTargets(db, serviceId), language);
  return names.length === 0
    ? []
    : [
        language.say('{names} {count, plural, one {is} other {are}} not notified of it any more.', {
          names: listNames(names, 'and', language),
          count: names.length,
        }),
      ];
}
