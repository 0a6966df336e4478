import type { AccountId } from '../../../domain/ids.ts';
import type { HttpServer } from '../../../platform/http/server.ts';
import { fillBeside } from './fill-beside.ts';
import type { DemoDeps, RunningDemo } from './open-demo.ts';

/** Fills the demo lab in behind the pages, and stops it with them. */
export function openDemoFilling(app: HttpServer, deps: Omit<DemoDeps, 'say'>): (owner: AccountId) => void {
  const { log } = deps;
  let filling: Promise<RunningDemo | null> = Promise.resolve(null);
  app.addHook('preClose', async () => (await filling)?.stop());
  const say = (line: string) => log.info(line);
  return (owner) => {
    filling = fillBeside({ ...deps, say }, owner).catch((error) => {
      log.error({ err: error }, 'the demo lab could not be filled in');
      return null;
    });
  };
}
