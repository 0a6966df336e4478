// What the page of a group shows.

import { sayOne } from '../../domain/language/sayable.ts';
import { readRelays } from '../../engine/relays/relays.ts';
import { kindNamed } from '../../engine/transports/webhook/kinds.ts';
import { shortenAddress } from '../../engine/transports/webhook/shorten-address.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type Reader, type ShownTime, showTime } from '../../platform/html/time.tsx';
import { type LadderModel, readLadderModel } from './ladder-model.ts';
import {
  type Group,
  type GroupWebhook,
  selectAccounts,
  selectEmails,
  selectServices,
  selectWebhooks,
} from './queries.ts';
import type { RelayModel } from './relay-view.tsx';
import { sayWhyOff } from './why-off.ts';

export interface GroupModel extends Group {
  people: { id: number; name: string; email: string; problem: string | null }[];
  /** Members of the organization who are not in the group. */
  others: { id: number; name: string; email: string }[];
  emails: string[];
  webhooks: WebhookModel[];
  services: { id: number; name: string; isArchived: boolean }[];
  /** All whom the ladder may name. */
  members: { id: number; name: string }[];
  ladder: LadderModel | null;
  relays: RelayModel[];
}

export interface WebhookModel {
  id: number;
  kindLabel: string;
  address: string;
  hasSecret: boolean;
  off: { since: ShownTime; reason: string } | null;
}

export async function readGroupModel(db: ReadDatabase, group: Group, reader: Reader): Promise<GroupModel> {
  const [accounts, emails, webhooks, services, relays] = await Promise.all([
    selectAccounts(db, group),
    selectEmails(db, group),
    selectWebhooks(db, group),
    selectServices(db, group),
    readRelays(db, group.id),
  ]);
  const { say } = reader.language;
  const nameWebhook = (id: string) => {
    const webhook = webhooks.find((one) => String(one.id) === id);
    return webhook ? `${sayKind(webhook, reader)} ${shortenAddress(webhook.url)}` : say('Webhook');
  };
  return {
    ...group,
    people: accounts
      .filter(({ isInGroup }) => isInGroup)
      .map(({ id, name, email, isActive, isMember }) => ({
        id,
        name,
        email,
        problem: isActive
          ? isMember
            ? null
            : say('no longer a member of the organization')
          : say('deactivated: is not notified'),
      })),
    others: accounts.filter(({ isInGroup, isActive }) => !isInGroup && isActive),
    emails,
    webhooks: webhooks.map((webhook) => showWebhook(webhook, reader)),
    services,
    members: accounts.filter(({ isMember, isActive }) => isMember && isActive),
    relays: relays.map(({ toldAt, password: _, ...relay }) => ({
      ...relay,
      told: toldAt && showTime(toldAt, reader),
    })),
    ladder: await readLadderModel(db, group, nameWebhook, reader),
  };
}

const sayKind = ({ kind }: Pick<GroupWebhook, 'kind'>, { language }: Reader): string =>
  sayOne(kindNamed(kind).label, language);

function showWebhook(webhook: GroupWebhook, reader: Reader): WebhookModel {
  const { id, kind, url, hasSecret, disabledAt, disabledReason } = webhook;
  return {
    id,
    kindLabel: sayKind({ kind }, reader),
    address: shortenAddress(url),
    hasSecret,
    off: disabledAt && {
      since: showTime(disabledAt, reader),
      reason: sayWhyOff(disabledReason, reader.language),
    },
  };
}
