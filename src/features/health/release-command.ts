import { ok, type Result, refuse } from '../../domain/result.ts';
import { releaseItem, selectSetAside } from '../../engine/self-watch/program-ends.ts';
import type { Database } from '../../platform/db/database.ts';

export async function releaseByHand(db: Database, item: string): Promise<Result<string, string>> {
  if (await releaseItem(db, item)) return ok(`${item} may come again, within a quarter of a minute.`);
  const others = await selectSetAside(db);
  return refuse(
    `${item} is not set aside. ${others.length > 0 ? `These are: ${others.join(', ')}` : 'Nothing is.'}`,
  );
}
