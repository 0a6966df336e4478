// The one who knows how messages leave at this moment. Whoever sends asks at the time of sending: what a keeper changes is in
// force in every program within two seconds.
import type { HouseKey } from '../../platform/auth/house-key.ts';
import { keepPushKeys } from '../../platform/auth/push-keys.ts';
import type { ClockTask } from '../../platform/clock-loop.ts';
import type { Database } from '../../platform/db/database.ts';
import { isInstallable } from '../../platform/installable.ts';
import type { ProviderSettings } from '../providers/providers.ts';
import { type DeliveryEnvironment, findInForce, type InForce } from './in-force.ts';
import { type SealedSetting, selectSealed, unsealAll } from './stored.ts';

export interface DeliverySettings {
  /** As it was read last. */
  inForce(): InForce;
  /** Reads it anew: what this program has just changed counts at once. */
  refresh(): Promise<InForce>;
  /** What is set on pages counts only where this says nothing. */
  environment: DeliveryEnvironment;
  key: HouseKey;
  task: ClockTask;
}

interface SettingsDeps {
  db: Database;
  environment: DeliveryEnvironment;
  key: HouseKey;
}

const EVERY_SECONDS = 2;

export async function openDeliverySettings(deps: SettingsDeps, now: Date): Promise<DeliverySettings> {
  const { db, environment, key } = deps;
  let push: ProviderSettings['push'] = null;
  let known = '';
  let inForce: InForce;

  const offerPush = async (publicUrl: URL | null): Promise<ProviderSettings['push']> => {
    if (!isInstallable(publicUrl)) return environment.providers.push;
    const keys = push ?? (await keepPushKeys(db, now));
    return { ...keys, subject: publicUrl.href };
  };

  /** What did not change stays the same object: connections are kept by it. */
  const refresh = async (): Promise<InForce> => {
    const rows = await selectSealed(db);
    const sealingKey = key.read();
    const version = JSON.stringify([sealingKey?.id, ...rows.map(versionOf)]);
    if (version === known) return inForce;
    const found = findInForce(environment, unsealAll(rows, sealingKey));
    push = await offerPush(found.publicUrl);
    inForce = { ...found, providers: { ...found.providers, push } };
    known = version;
    return inForce;
  };
  inForce = await refresh();
  return {
    inForce: () => inForce,
    refresh,
    environment,
    key,
    task: { name: 'delivery-settings', everySeconds: EVERY_SECONDS, run: refresh },
  };
}

/** A nonce is never used twice. */
const versionOf = ({ name, sealed }: SealedSetting): [string, string] => [
  name,
  sealed.toString('base64', 0, 28),
];
