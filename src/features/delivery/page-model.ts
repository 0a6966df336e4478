// What the page of the delivery settings shows: never a secret, only that there is one.
import type { Language } from '../../domain/language/speak.ts';
import { findAddressTrouble } from '../../domain/public-address.ts';
import { type Keeper, selectKeepers } from '../../engine/accounts/keepers.ts';
import type { DeliverySettings } from '../../engine/delivery-settings/delivery-settings.ts';
import { findSetBy, type InForce } from '../../engine/delivery-settings/in-force.ts';
import {
  SETTING_NAMES,
  type SealedSetting,
  type SettingName,
  selectSealed,
  unsealAll,
} from '../../engine/delivery-settings/stored.ts';
import { isOffered, providerNamed, SET_PROVIDERS } from '../../engine/providers/providers.ts';
import type { SealingKey } from '../../platform/auth/sealing.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type Reader, type ShownTime, showTime } from '../../platform/html/time.tsx';

type SettingState =
  | { kind: 'unset' }
  /** By a variable of the environment, which wins. */
  | { kind: 'environment'; by: string }
  | { kind: 'page'; by: string; at: ShownTime }
  /** This program has not its key. */
  | { kind: 'unread'; keyId: string; ownKeyId: string | null };

export interface SettingModel {
  state: SettingState;
  /** In a few words. Of what is not set: what counts instead, if anything does. */
  inForce: string | null;
  /** What stands in its fields. */
  typed: Record<string, string>;
  /** Secrets that are set, by their field. */
  secrets: string[];
  /** Set on this page too, but of no consequence. */
  isOverruled: boolean;
}

export interface DeliveryModel {
  settings: Record<SettingName, SettingModel>;
  linkBase: string;
  addressTrouble: string | null;
  /** null: browsers cannot be told. */
  push: { subject: string } | null;
  offersCalls: boolean;
  keepers: (Keeper & { isYou: boolean })[];
}

export async function readDelivery(
  { db, delivery, linkBase }: { db: ReadDatabase; delivery: DeliverySettings; linkBase: () => string },
  reader: Reader & { accountId: number },
): Promise<DeliveryModel> {
  const inForce = await delivery.refresh();
  const rows = await selectSealed(db);
  const key = delivery.key.read();
  const { values } = unsealAll(rows, key);
  const model = (name: SettingName): SettingModel => {
    const row = rows.find((one) => one.name === name);
    const by = findSetBy(delivery.environment, name);
    const state: SettingState =
      by !== null ? { kind: 'environment', by } : describeRow(row, name in values, key, reader);
    const given = flatten(values[name] ?? {});
    return {
      state,
      inForce: state.kind === 'unread' ? null : describeInForce(name, inForce, reader.language),
      typed: Object.fromEntries(Object.entries(given).filter(([field]) => !isSecret(name, given, field))),
      secrets: Object.keys(given).filter((field) => isSecret(name, given, field)),
      isOverruled: by !== null && row !== undefined,
    };
  };
  const keepers = await selectKeepers(db);
  return {
    settings: Object.fromEntries(
      SETTING_NAMES.map((name) => [name, model(name)]),
    ) as DeliveryModel['settings'],
    linkBase: linkBase(),
    addressTrouble: findAddressTrouble(linkBase(), reader.language),
    push: inForce.providers.push,
    offersCalls: isOffered('voice', inForce.providers),
    keepers: keepers.map((keeper) => ({ ...keeper, isYou: keeper.id === reader.accountId })),
  };
}

function describeRow(
  row: SealedSetting | undefined,
  isRead: boolean,
  key: SealingKey | null,
  reader: Reader,
): SettingState {
  if (!row) return { kind: 'unset' };
  if (!isRead) return { kind: 'unread', keyId: row.keyId, ownKeyId: key?.id ?? null };
  return { kind: 'page', by: row.changedByName, at: showTime(row.changedAt, reader) };
}

/** Of the mail server, of makers of SMS, and what other providers call so. */
export const SECRETS = [
  'password',
  'token',
  'hook_secret',
  ...SET_PROVIDERS.flatMap(({ form }) => form?.fields.filter(({ secret }) => secret) ?? []).map(
    ({ name }) => name,
  ),
];
/** Whatever a gateway of one's own is asked with may be secret. */
const SECRETS_OF_CUSTOM = ['url', 'headers', 'body'];

const isSecret = (name: SettingName, { gateway }: Record<string, string>, field: string): boolean =>
  SECRETS.includes(field) || (name === 'sms' && gateway === 'custom' && SECRETS_OF_CUSTOM.includes(field));

/** Fields of the form; those of a sign-in stand beside the others. */
function flatten(value: object): Record<string, string> {
  const { auth, tls, text, replies, ...rest } = value as Record<string, unknown>;
  const fields = {
    ...rest,
    ...(auth as object | null),
    ...(tls !== undefined && { security: tls }),
    ...(text !== undefined && { from: text }),
    ...(replies === true && { replies: 'on' }),
  };
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, given]) => given !== null && given !== undefined)
      .map(([field, given]) => [field, typeof given === 'object' ? JSON.stringify(given) : String(given)]),
  );
}

function describeInForce(
  name: SettingName,
  { mail, mailFrom, publicUrl, providers }: InForce,
  language: Language,
): string | null {
  switch (name) {
    case 'public_url':
      return publicUrl?.href ?? null;
    case 'mail_server':
      return mail.kind === 'server'
        ? language.say('{host}, port {port}', { host: mail.server.host, port: String(mail.server.port) })
        : null;
    case 'mail_from':
      return mailFrom.name === null ? mailFrom.address : `${mailFrom.name} <${mailFrom.address}>`;
    default:
      return providers[name] && providerNamed(name).describe(providers[name], language);
  }
}
