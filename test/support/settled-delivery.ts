// How messages leave, where nobody changes it.
import { type Environment, findInForce, type InForce } from '../../src/engine/delivery-settings/in-force.ts';
import { NO_PROVIDERS } from '../../src/engine/providers/providers.ts';

const NOTHING_SET: Environment = { publicUrl: null, smtp: null, mailFrom: null, providers: NO_PROVIDERS };

/** As the environment says. */
export function settled(environment: Partial<Environment> = {}): () => InForce {
  const inForce = findInForce({ ...NOTHING_SET, ...environment }, { values: {}, unread: [] });
  return () => inForce;
}
