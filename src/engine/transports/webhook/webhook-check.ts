// What is wrong with a webhook can be told before anything is sent.
import { isIP } from 'node:net';
import { message } from '../../../domain/language/message.ts';
import { sayOne } from '../../../domain/language/sayable.ts';
import type { Language } from '../../../domain/language/speak.ts';
import { sayFailure, writeFailure } from '../../../domain/words/failure-words.ts';
import { forbidAddress, type OutboundFailure } from '../../../platform/outbound/request-outbound.ts';
import { kindNamed, sayProtocols, WEB_PROTOCOLS, type WebhookKind } from './kinds.ts';
import type { WebhookRecipient } from './recipient.ts';

export interface WebhookSettings {
  /** Loopback and private networks may be reached. */
  allowPrivate: boolean;
}

const SECRET = message('secret');

/** In words for an administrator. null: nothing that can be seen from here. */
export function findWebhookFault(
  { kind, url, secret }: Omit<WebhookRecipient, 'id'>,
  settings: WebhookSettings,
  language: Language,
): string | null {
  const { say } = language;
  if (!URL.canParse(url)) return sayFailure(writeFailure('no_url'), language);
  const address = new URL(url);
  const { protocol, hostname } = address;
  const { protocols = WEB_PROTOCOLS } = kindNamed(kind);
  if (!protocols.includes(protocol))
    return say('The address must start with {protocols}', {
      protocols: sayProtocols(kindNamed(kind), language),
    });
  const literal = hostname.replace(/^\[|\]$/g, '');
  const forbidden = isIP(literal) === 0 ? null : forbidAddress(literal, settings.allowPrivate);
  if (forbidden) return sayFailure(explainForbidden(forbidden, hostname), language);
  const fault = kindNamed(kind).findFault?.(address, secret) ?? null;
  if (fault !== null) return sayOne(fault, language);
  return secret ? findSecretFault(kind, secret, language) : null;
}

export function findSecretFault(kind: WebhookKind, secret: string, language: Language): string | null {
  const use = kindNamed(kind).secret;
  const fault = use?.findFault?.(secret) ?? null;
  if (fault !== null) return sayOne(fault, language);
  if (use?.findFault || /^[\x21-\x7e]+$/.test(secret.trim())) return null;
  return language.say('The {secret} must consist of printable characters without spaces', {
    secret: sayOne(use?.name ?? SECRET, language),
  });
}

export function explainForbidden(failure: OutboundFailure, host: string): string {
  return failure.kind === 'private_address'
    ? writeFailure('private_address', { host })
    : writeFailure('forbidden_address', { host });
}
