// All kinds of webhooks, in the order in which pages offer them.

import type { Language } from '../../../domain/language/speak.ts';
import { inOneSentence } from '../../../domain/list-names.ts';
import type { Kind } from '../../letters/webhook-kind.ts';
import { gotify } from '../../providers/gotify/webhook.ts';
import { ntfy } from '../../providers/ntfy/webhook.ts';
import { alertmanager } from './kinds/alertmanager.ts';
import { discord } from './kinds/discord.ts';
import { generic } from './kinds/generic.ts';
import { matrix } from './kinds/matrix.ts';
import { mqtt } from './kinds/mqtt.ts';
import { pagerduty } from './kinds/pagerduty.ts';
import { slack } from './kinds/slack.ts';
import { teams } from './kinds/teams.ts';

const KINDS = [generic, slack, teams, discord, ntfy, gotify, matrix, mqtt, pagerduty, alertmanager] as const;

export type WebhookKind = (typeof KINDS)[number]['name'];

export const WEBHOOK_KINDS: readonly Kind<WebhookKind>[] = KINDS;

export const WEB_PROTOCOLS: readonly string[] = ['http:', 'https:'];

/** `http:// or https://` */
export const sayProtocols = (
  { protocols = WEB_PROTOCOLS }: Pick<Kind, 'protocols'>,
  language: Language,
): string =>
  inOneSentence(
    protocols.map((protocol) => `${protocol}//`),
    language,
    'or',
  );

export const WEBHOOK_KIND_NAMES: readonly WebhookKind[] = KINDS.map(({ name }) => name);

export const kindNamed = (name: WebhookKind): Kind =>
  WEBHOOK_KINDS.find((kind) => kind.name === name) as Kind;
