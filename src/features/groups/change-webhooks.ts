// The verbs on the webhooks of a group. An address often is the secret itself: records name its host only.

import type { Requester } from '../../domain/accounts/requester.ts';
import type { Language } from '../../domain/language/speak.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { AuditAction } from '../../domain/words/audit-words.ts';
import { changeGroup, type GroupTx } from '../../engine/groups/change-group.ts';
import * as recipients from '../../engine/groups/group-recipients.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import { kindNamed } from '../../engine/transports/webhook/kinds.ts';
import type { WebhookSettings } from '../../engine/transports/webhook/webhook-check.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import { type GroupVerb, record } from './change-group.ts';
import type { Group } from './queries.ts';
import { readWebhookForm } from './read-webhook-form.ts';
import type { GroupRefusal } from './refusals.ts';
import { writeSwitchedOff } from './why-off.ts';

/** A receiver that checks signatures gets a secret of ours unless it brought one, shown this once. */
export async function addWebhook(
  tx: Tx,
  requester: Requester,
  {
    group,
    form,
    settings,
    language,
  }: { group: Group; form: FormFields; settings: WebhookSettings; language: Language },
  now: Date,
): Promise<Result<{ newSecret: string | null }, GroupRefusal>> {
  const read = readWebhookForm(form, settings, language);
  if (!read.ok) return read;
  const { kind, url } = read.value;
  const newSecret = read.value.secret === null ? (kindNamed(kind).secret?.make?.() ?? null) : null;
  const secret = newSecret ?? read.value.secret;
  const [added] = await changeGroup(tx, now, (changing) =>
    recipients.addWebhooks(changing, group.id, [{ kind, url, secret }]),
  );
  if (!added) return refuse('webhook_there');
  await noteChange(tx, requester, { group, action: 'group.webhook.add', changed: added }, now);
  return ok({ newSecret });
}

const changeWith =
  (
    action: AuditAction,
    change: (
      tx: GroupTx,
      requester: Requester,
      webhook: { groupId: number; id: number },
      now: Date,
    ) => Promise<recipients.ChangedWebhook[]>,
  ): GroupVerb =>
  async (tx, requester, { group, form }, now) => {
    const id = readPageId(form.webhook_id);
    if (id === null) return ok(null);
    const [changed] = await changeGroup(tx, now, (changing) =>
      change(changing, requester, { groupId: group.id, id }, now),
    );
    if (changed) await noteChange(tx, requester, { group, action, changed }, now);
    return ok(null);
  };

export const removeWebhook = changeWith('group.webhook.remove', (tx, _requester, { groupId, id }) =>
  recipients.removeWebhook(tx, groupId, id),
);

export const switchOffWebhook = changeWith('group.webhook.disable', (tx, requester, { groupId, id }, now) =>
  recipients.switchOffWebhook(tx, groupId, id, writeSwitchedOff(requester.name), now),
);

export const switchOnWebhook = changeWith('group.webhook.enable', (tx, _requester, { groupId, id }, now) =>
  recipients.switchOnWebhook(tx, groupId, id, now),
);

const noteChange = (
  tx: Tx,
  requester: Requester,
  {
    group,
    action,
    changed: { id, kind, url },
  }: { group: Group; action: AuditAction; changed: recipients.ChangedWebhook },
  now: Date,
) => record(tx, requester, { group, action, detail: { webhook: id, kind, host: new URL(url).host } }, now);
