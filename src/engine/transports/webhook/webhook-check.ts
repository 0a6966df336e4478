// What is wrong with a webhook can be told before anything is sent.
import { isIP } from 'node:net';
import { forbidAddress, type OutboundFailure } from '../../../platform/outbound/post-outbound.ts';
import type { WebhookKind, WebhookRecipient } from '../transport.ts';
import { readTopic } from './kinds/ntfy.ts';
import { isDamagedSecret } from './kinds/webhook-secret.ts';

export interface WebhookSettings {
  /** Loopback and private networks may be reached. */
  allowPrivate: boolean;
}

/** What the secret of each kind is good for; null: it has none. */
export const SECRET_USES: Record<WebhookKind, string | null> = {
  generic: 'signs each message',
  slack: null,
  teams: null,
  discord: null,
  ntfy: 'access token',
  pagerduty: 'routing key',
  alertmanager: 'bearer token',
};

/** In words for an administrator. null: nothing that can be seen from here. */
export function findWebhookFault(
  { kind, url, secret }: Omit<WebhookRecipient, 'id'>,
  settings: WebhookSettings,
): string | null {
  if (!URL.canParse(url)) return 'The address is not a URL';
  const address = new URL(url);
  const { protocol, hostname } = address;
  if (protocol !== 'https:' && protocol !== 'http:') return 'The address must start with http:// or https://';
  const literal = hostname.replace(/^\[|\]$/g, '');
  const forbidden = isIP(literal) === 0 ? null : forbidAddress(literal, settings.allowPrivate);
  if (forbidden) return explainForbidden(forbidden, hostname);
  if (kind === 'ntfy' && !readTopic(address))
    return 'The address must end with a topic, such as https://ntfy.sh/cold-team';
  if (kind === 'pagerduty' && !secret?.trim())
    return 'PagerDuty needs the routing key of an Events API v2 integration';
  return secret ? findSecretFault(kind, secret) : null;
}

export function findSecretFault(kind: WebhookKind, secret: string): string | null {
  if (kind !== 'generic' && !/^[\x21-\x7e]+$/.test(secret.trim()))
    return `The ${SECRET_USES[kind] ?? 'secret'} must consist of printable characters without spaces`;
  if (kind === 'generic' && isDamagedSecret(secret))
    return 'The secret is damaged: after whsec_ come at least 22 characters of base64';
  return null;
}

export function explainForbidden(failure: OutboundFailure, host: string): string {
  return failure.kind === 'private_address'
    ? `${host} is in a private network. TOCSIN_WEBHOOK_PRIVATE=true allows that`
    : `${host} is an address that webhooks never go to`;
}
