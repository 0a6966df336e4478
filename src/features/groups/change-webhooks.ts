// The verbs on the webhooks of a group. An address often is the secret itself: records name its host only.
import { ok, type Result, refuse } from '../../domain/result.ts';
import * as recipients from '../../engine/groups/group-recipients.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import { kindNamed } from '../../engine/transports/webhook/kinds.ts';
import type { WebhookSettings } from '../../engine/transports/webhook/webhook-check.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import type { Administration } from './administer-group.ts';
import { type GroupVerb, record } from './change-group.ts';
import { readWebhookForm } from './read-webhook-form.ts';
import type { GroupRefusal } from './refusals.ts';

/** A receiver that checks signatures gets a secret of ours unless it brought one, shown this once. */
export async function addWebhook(
  tx: Tx,
  administration: Administration,
  { form, settings }: { form: FormFields; settings: WebhookSettings },
  now: Date,
): Promise<Result<{ newSecret: string | null }, GroupRefusal>> {
  const read = readWebhookForm(form, settings);
  if (!read.ok) return read;
  const { kind, url } = read.value;
  const newSecret = read.value.secret === null ? (kindNamed(kind).secret?.make?.() ?? null) : null;
  const secret = newSecret ?? read.value.secret;
  const [added] = await recipients.addWebhooks(tx, administration.group.id, [{ kind, url, secret }], now);
  if (!added) return refuse('webhook_there');
  await noteChange(tx, administration, 'group.webhook.add', added, now);
  return ok({ newSecret });
}

const changeWith =
  (
    action: string,
    change: (
      tx: Tx,
      administration: Administration,
      webhookId: number,
      now: Date,
    ) => Promise<recipients.ChangedWebhook[]>,
  ): GroupVerb =>
  async (tx, administration, form, now) => {
    const webhookId = readPageId(form.webhook_id);
    const [changed] = webhookId === null ? [] : await change(tx, administration, webhookId, now);
    if (changed) await noteChange(tx, administration, action, changed, now);
    return ok(null);
  };

export const removeWebhook = changeWith('group.webhook.remove', (tx, { group }, id, now) =>
  recipients.removeWebhook(tx, group.id, id, now),
);

export const switchOffWebhook = changeWith('group.webhook.disable', (tx, { group, requester }, id, now) =>
  recipients.switchOffWebhook(tx, group.id, id, `Switched off by ${requester.name}`, now),
);

export const switchOnWebhook = changeWith('group.webhook.enable', (tx, { group }, id, now) =>
  recipients.switchOnWebhook(tx, group.id, id, now),
);

async function noteChange(
  tx: Tx,
  administration: Administration,
  action: string,
  { id, kind, url }: recipients.ChangedWebhook,
  now: Date,
): Promise<void> {
  await record(tx, administration, action, { webhook: id, kind, host: new URL(url).host }, now);
}
