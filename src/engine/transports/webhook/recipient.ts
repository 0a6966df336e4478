import type { WebhookTarget } from '../../letters/webhook-kind.ts';
import type { WebhookKind } from './kinds.ts';

export interface WebhookRecipient extends WebhookTarget {
  id: number;
  kind: WebhookKind;
}
