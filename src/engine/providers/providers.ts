// All kinds of contact methods beside mail, each with what it takes to be told by it.
import { english } from '../../domain/language/english.ts';
import { sayOne } from '../../domain/language/sayable.ts';
import type { Language } from '../../domain/language/speak.ts';
import { METHOD_KINDS, type MethodKind } from '../../domain/on-call/contact-method.ts';
import { gotify } from './gotify/provider.ts';
import { ntfy } from './ntfy/provider.ts';
import { push } from './push/provider.ts';
import { pushover } from './pushover/provider.ts';
import type { PersonKind } from './record/person-kind.ts';
import type { Provider, SetProvider, SettingsOf } from './record/provider.ts';
import { signal } from './signal/provider.ts';
import { sms, voice } from './sms/provider.ts';
import { telegram } from './telegram/provider.ts';

export type PersonMethodKind = Exclude<MethodKind, 'email'>;

/** One line for each. */
export const PERSON_KINDS = {
  sms,
  voice,
  push,
  pushover,
  telegram,
  ntfy,
  gotify,
  signal,
} satisfies Record<PersonMethodKind, PersonKind>;

const kinds: Record<PersonMethodKind, PersonKind> = PERSON_KINDS;
export const kindOf = (kind: PersonMethodKind): PersonKind => kinds[kind];

type KnownProvider = NonNullable<(typeof PERSON_KINDS)[keyof typeof PERSON_KINDS]['provider']>;

/** By which persons are told, as the operator set them up. null: not set up. */
export type ProviderSettings = { [Of in KnownProvider as Of['name']]: SettingsOf<Of> | null };

const providers = Object.values<PersonKind>(PERSON_KINDS).flatMap(({ provider }) => provider ?? []);
export const PROVIDERS = [...new Set(providers)] as readonly (Provider & { name: keyof ProviderSettings })[];

export type SetProviderName = Extract<KnownProvider, SetProvider>['name'];

export const SET_PROVIDERS = PROVIDERS.filter(
  (provider): provider is SetProvider<SetProviderName> => 'read' in provider,
);

export const providerNamed = (name: SetProviderName) =>
  SET_PROVIDERS.find((provider) => provider.name === name) as (typeof SET_PROVIDERS)[number];

export const NO_PROVIDERS = Object.fromEntries(PROVIDERS.map(({ name }) => [name, null])) as ProviderSettings;

/** By which it goes at this moment; null: the operator has not set up what it needs. */
export function findSettings(kind: PersonKind, providers: ProviderSettings): { settings: unknown } | null {
  const { provider } = kind;
  if (provider === null) return { settings: null };
  const settings: unknown = providers[provider.name as keyof ProviderSettings];
  const isServed = settings !== null && (kind.isServedBy?.(settings) ?? true);
  return isServed ? { settings } : null;
}

/** By which persons are told by it. */
export const kindsOf = (provider: keyof ProviderSettings): PersonMethodKind[] =>
  METHOD_KINDS.flatMap((kind) =>
    kind !== 'email' && kindOf(kind).provider?.name === provider ? [kind] : [],
  );

export const isOffered = (kind: PersonMethodKind, providers: ProviderSettings): boolean =>
  findSettings(kindOf(kind), providers) !== null;

/** In which language somebody is told by it: theirs, unless nobody speaks it there. */
export const languageBy = (kind: PersonMethodKind, language: Language): Language =>
  kindOf(kind).speaks?.(language) === false ? english : language;

export const nameMethod = (kind: MethodKind, language: Language): string =>
  kind === 'email' ? language.say('Mail') : sayOne(kindOf(kind).label, language);

/** `Mail` of who has chosen nothing. */
export const nameMethods = (kinds: readonly MethodKind[], language: Language): string =>
  kinds.length === 0 ? language.say('Mail') : kinds.map((kind) => nameMethod(kind, language)).join(', ');
