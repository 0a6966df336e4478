// What is wrong with a webhook can be told before anything is sent.
import { isIP } from 'node:net';
import { forbidAddress, type OutboundFailure } from '../../../platform/outbound/request-outbound.ts';
import { kindNamed, sayProtocols, WEB_PROTOCOLS, type WebhookKind } from './kinds.ts';
import type { WebhookRecipient } from './recipient.ts';

export interface WebhookSettings {
  /** Loopback and private networks may be reached. */
  allowPrivate: boolean;
}

/** In words for an administrator. null: nothing that can be seen from here. */
export function findWebhookFault(
  { kind, url, secret }: Omit<WebhookRecipient, 'id'>,
  settings: WebhookSettings,
): string | null {
  if (!URL.canParse(url)) return 'The address is not a URL';
  const address = new URL(url);
  const { protocol, hostname } = address;
  const { protocols = WEB_PROTOCOLS } = kindNamed(kind);
  if (!protocols.includes(protocol)) return `The address must start with ${sayProtocols(kindNamed(kind))}`;
  const literal = hostname.replace(/^\[|\]$/g, '');
  const forbidden = isIP(literal) === 0 ? null : forbidAddress(literal, settings.allowPrivate);
  if (forbidden) return explainForbidden(forbidden, hostname);
  const fault = kindNamed(kind).findFault?.(address, secret) ?? null;
  return fault === null && secret ? findSecretFault(kind, secret) : fault;
}

export function findSecretFault(kind: WebhookKind, secret: string): string | null {
  const use = kindNamed(kind).secret;
  if (use?.findFault) return use.findFault(secret);
  return /^[\x21-\x7e]+$/.test(secret.trim())
    ? null
    : `The ${use?.name ?? 'secret'} must consist of printable characters without spaces`;
}

export function explainForbidden(failure: OutboundFailure, host: string): string {
  return failure.kind === 'private_address'
    ? `${host} is in a private network. TOCSIN_WEBHOOK_PRIVATE=true allows that`
    : `${host} is an address that webhooks never go to`;
}
