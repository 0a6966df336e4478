// How messages leave, where nobody changes it.
import {
  type DeliveryEnvironment,
  findInForce,
  type InForce,
} from '../../src/engine/delivery-settings/in-force.ts';
import { NO_PROVIDERS } from '../../src/engine/providers/providers.ts';

const NOTHING_SET: DeliveryEnvironment = {
  publicUrl: null,
  smtp: null,
  mailFrom: null,
  providers: NO_PROVIDERS,
};

/** As the environment says. */
export function settled(environment: Partial<DeliveryEnvironment> = {}): () => InForce {
  const inForce = findInForce({ ...NOTHING_SET, ...environment }, { values: {}, unread: [] });
  return () => inForce;
}
