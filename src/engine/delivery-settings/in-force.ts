// How messages leave at this moment: what the environment says, else what a keeper set on pages.
import type { Config } from '../../platform/config.ts';
import type { TrustedServer } from '../../platform/mail/connect-options.ts';
import type { MailAddress } from '../../platform/mail/mail.ts';
import { readMailAddress } from '../../platform/mail/read-mail-address.ts';
import { type ProviderSettings, SET_PROVIDERS } from '../providers/providers.ts';
import { readSettingsOf } from '../providers/read-provider-settings.ts';
import type { SettingName, SettingValues, StoredMailServer, Unsealed } from './stored.ts';

export interface InForce {
  publicUrl: URL | null;
  mail: MailWay;
  mailFrom: MailAddress;
  /** By which persons are told beside mail. */
  providers: ProviderSettings;
  /** Set on pages, but not to be read without the key. Never a reason to behave as if it were not set. */
  unread: readonly SettingName[];
}

type MailWay =
  | { kind: 'server'; server: TrustedServer }
  /** There is no mail server: mail stays in the database. */
  | { kind: 'kept' }
  | { kind: 'unread' };

export interface DeliveryEnvironment extends Pick<Config, 'publicUrl' | 'smtp' | 'mailFrom'> {
  /** By which persons are told beside mail. */
  providers: ProviderSettings;
}

/** Of each: the variable by which the environment sets it. null: it does not. */
export function findSetBy(environment: DeliveryEnvironment, name: SettingName): string | null {
  switch (name) {
    case 'public_url':
      return environment.publicUrl && 'TOCSIN_PUBLIC_URL';
    case 'mail_server':
      return environment.smtp && 'SMTP_URL';
    case 'mail_from':
      return environment.mailFrom && 'MAIL_FROM';
    default:
      return environment.providers[name] && 'TOCSIN_CHANNELS';
  }
}

export function findInForce(environment: DeliveryEnvironment, { values, unread }: Unsealed): InForce {
  const isOurs = (name: SettingName) => findSetBy(environment, name) === null;
  const publicUrl = environment.publicUrl ?? (values.public_url ? new URL(values.public_url.url) : null);
  return {
    publicUrl,
    mail: findMailWay(environment, values, unread),
    mailFrom:
      environment.mailFrom ??
      (values.mail_from && readMailAddress(values.mail_from.text)) ??
      ({ name: 'Tocsin', address: `tocsin@${publicUrl?.hostname ?? 'localhost'}` } satisfies MailAddress),
    providers: { ...environment.providers, ...readOwn(values, isOurs) },
    unread: unread.filter(isOurs),
  };
}

function findMailWay(
  { smtp }: DeliveryEnvironment,
  values: Partial<SettingValues>,
  unread: SettingName[],
): MailWay {
  if (smtp) return { kind: 'server', server: smtp };
  if (unread.includes('mail_server')) return { kind: 'unread' };
  return values.mail_server ? { kind: 'server', server: toServer(values.mail_server) } : { kind: 'kept' };
}

const toServer = ({ ca, ...server }: StoredMailServer): TrustedServer => ({
  ...server,
  caFile: null,
  ca: ca === null ? null : Buffer.from(ca),
});

function readOwn(
  values: Partial<SettingValues>,
  isOurs: (name: SettingName) => boolean,
): Partial<ProviderSettings> {
  const read = SET_PROVIDERS.flatMap((provider) => {
    const given = isOurs(provider.name) ? values[provider.name] : undefined;
    const own = given && readSettingsOf(provider, given);
    return own && 'settings' in own ? [[provider.name, own.settings] as const] : [];
  });
  return Object.fromEntries(read);
}

/** What links in messages begin with where nobody said it; a program that does not listen takes that of one that does as its own. */
export const ownAddress = ({ host, tls }: Pick<Config, 'host' | 'tls'>, { port }: { port: number }): string =>
  `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** What links begin with, without a slash at its end; null: nobody said. */
export const findLinkBase = ({ publicUrl }: Pick<InForce, 'publicUrl'>): string | null =>
  publicUrl?.href.replace(/\/$/, '') ?? null;
