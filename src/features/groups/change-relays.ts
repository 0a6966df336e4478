// The verbs on a group's sirens and lamps.
import { ok, refuse } from '../../domain/result.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import { deleteRelay, insertRelay } from '../../engine/relays/relays.ts';
import { type GroupVerb, record } from './change-group.ts';

const LONGEST_ADDRESS = 500;
const LONGEST_PASSWORD = 200;

export const addRelay: GroupVerb = async (tx, requester, { group, form }, now) => {
  const address = (form.relay_url ?? '').trim();
  if (!URL.canParse(address) || address.length > LONGEST_ADDRESS) return refuse('not_a_switch');
  const { protocol, origin, username } = new URL(address);
  if ((protocol !== 'http:' && protocol !== 'https:') || username !== '') return refuse('not_a_switch');
  const switchId = Number(form.switch_id ?? '0');
  if (!Number.isInteger(switchId) || switchId < 0 || switchId > 7) return refuse('not_a_switch');
  const password = form.relay_password?.trim() || null;
  if (password !== null && password.length > LONGEST_PASSWORD) return refuse('not_a_switch');
  const deadMan = form.dead_man === 'yes';
  const added = await insertRelay(tx, group.id, { url: origin, switchId, password, deadMan }, now);
  if (!added.ok) return added;
  const detail = { relay: added.value.id, url: origin, switch: switchId, dead_man: deadMan };
  await record(tx, requester, { group, action: 'group.relay.add', detail }, now);
  return ok(null);
};

/** It stays as it was last told for two minutes, and falls back then. */
export const removeRelay: GroupVerb = async (tx, requester, { group, form }, now) => {
  const relayId = readPageId(form.relay_id);
  const removed = relayId === null ? null : await deleteRelay(tx, group.id, relayId);
  if (!removed) return ok(null);
  const detail = { relay: relayId, url: removed.url };
  await record(tx, requester, { group, action: 'group.relay.remove', detail }, now);
  return ok(null);
};
