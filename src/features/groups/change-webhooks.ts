// The verbs on the webhooks of a group. An address often is the secret itself: records name its host only.
import { ok, type Result, refuse } from '../../domain/result.ts';
import { lookAgainAtGroups } from '../../engine/look-again.ts';
import type { WebhookSettings } from '../../engine/transports/webhook-check.ts';
import { createWebhookSecret } from '../../engine/transports/webhook-secret.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import { readPageId } from '../../platform/http/pages.ts';
import type { Administration } from './administer-group.ts';
import { type GroupVerb, record } from './change-group.ts';
import {
  type ChangedWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  insertWebhook,
} from './group-rows.ts';
import { readWebhookForm } from './read-webhook-form.ts';
import type { GroupRefusal } from './refusals.ts';

/** A generic receiver checks signatures: it gets a secret of ours unless it brought one, shown this once. */
export async function addWebhook(
  tx: Tx,
  administration: Administration,
  { form, settings }: { form: FormFields; settings: WebhookSettings },
  now: Date,
): Promise<Result<{ newSecret: string | null }, GroupRefusal>> {
  const read = readWebhookForm(form, settings);
  if (!read.ok) return read;
  const { kind, url } = read.value;
  const newSecret = kind === 'generic' && read.value.secret === null ? createWebhookSecret() : null;
  const secret = newSecret ?? read.value.secret;
  const [added] = await insertWebhook(tx, administration.group.id, { kind, url, secret });
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
    ) => Promise<ChangedWebhook[]>,
  ): GroupVerb =>
  async (tx, administration, form, now) => {
    const webhookId = readPageId(form.webhook_id);
    const [changed] = webhookId === null ? [] : await change(tx, administration, webhookId, now);
    if (changed) await noteChange(tx, administration, action, changed, now);
    return ok(null);
  };

export const removeWebhook = changeWith('group.webhook.remove', (tx, { group }, id) =>
  deleteWebhook(tx, group.id, id),
);

export const switchOffWebhook = changeWith('group.webhook.disable', (tx, { group, actor }, id, now) =>
  disableWebhook(tx, group.id, id, `Switched off by ${actor.name}`, now),
);

export const switchOnWebhook = changeWith('group.webhook.enable', (tx, { group }, id) =>
  enableWebhook(tx, group.id, id),
);

async function noteChange(
  tx: Tx,
  administration: Administration,
  action: string,
  { id, kind, url }: ChangedWebhook,
  now: Date,
): Promise<void> {
  lookAgainAtGroups(tx, [administration.group.id], now);
  await record(tx, administration, action, { webhook: id, kind, host: new URL(url).host }, now);
}
