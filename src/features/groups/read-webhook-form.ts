import type { Language } from '../../domain/language/speak.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { Kind } from '../../engine/letters/webhook-kind.ts';
import { WEB_PROTOCOLS, WEBHOOK_KINDS, type WebhookKind } from '../../engine/transports/webhook/kinds.ts';
import { findWebhookFault, type WebhookSettings } from '../../engine/transports/webhook/webhook-check.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import type { GroupRefusal } from './refusals.ts';

interface WebhookForm {
  kind: WebhookKind;
  url: string;
  /** null: none was typed in, or the kind has no use for one. */
  secret: string | null;
}

const LONGEST_ADDRESS = 2000;
const LONGEST_SECRET = 500;

/** Pasted text brings spaces along. Whether the address answers shows when it is tried. */
export function readWebhookForm(
  form: FormFields,
  settings: WebhookSettings,
  language: Language,
): Result<WebhookForm, GroupRefusal> {
  const kind = WEBHOOK_KINDS.find(({ name }) => name === form.kind);
  if (!kind) return refuse('unknown_kind');
  const address = readAddress((form.url ?? '').trim(), kind);
  if (!address.ok) return address;
  const typed = (form.secret ?? '').trim();
  if (typed.length > LONGEST_SECRET) return refuse('secret_too_long');
  const webhook = { kind: kind.name, url: address.value, secret: (kind.secret && typed) || null };
  const fault = findWebhookFault(webhook, settings, language);
  return fault === null ? ok(webhook) : refuse({ webhook: fault });
}

function readAddress(text: string, kind: Kind): Result<string, GroupRefusal> {
  const isOfWeb = kind.protocols === undefined;
  if (!/^[a-z]+:\/\/./i.test(text) || !URL.canParse(text)) return refuse('not_a_web_address');
  const url = new URL(text);
  if (isOfWeb && !WEB_PROTOCOLS.includes(url.protocol)) return refuse('not_a_web_address');
  if (url.username || url.password) return refuse('credentials_in_address');
  return url.href.length > LONGEST_ADDRESS ? refuse('address_too_long') : ok(url.href);
}
