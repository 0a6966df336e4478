// How pages speak of a webhook. Its whole address is the secret in many cases.
import type { WebhookKind } from '../transport.ts';

export const WEBHOOK_LABELS: Record<WebhookKind, string> = {
  generic: 'Signed JSON (Standard Webhooks)',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  discord: 'Discord',
  ntfy: 'ntfy',
  pagerduty: 'PagerDuty',
  alertmanager: 'Alertmanager receiver',
};

/** The last characters are enough to tell two of them apart. */
export function shortenAddress(url: string): string {
  const { protocol, host, pathname, search } = new URL(url);
  const rest = pathname + search;
  return `${protocol}//${host}/${rest.length > 12 ? `…${rest.slice(-4)}` : rest.length > 1 ? '…' : ''}`;
}
