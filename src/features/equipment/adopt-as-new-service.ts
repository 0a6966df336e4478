// One form makes a service of a device: where it stands, by which limits it is judged, who is told.

import type { SignedIn } from '../../domain/accounts/requester.ts';
import { TEMPLATES, type TemplateName } from '../../domain/equipment/templates.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import { ok, refuse } from '../../domain/result.ts';
import type { ChannelFields } from '../../engine/equipment/channels.ts';
import { saveChannels } from '../../engine/equipment/channels.ts';
import { updateInterval } from '../../engine/equipment/devices.ts';
import type { SettingsVerb } from '../../engine/pages/settings-routes.ts';
import { adoptAllLimits } from '../../engine/services/adopt-limits.ts';
import { updateServices } from '../../engine/services/service-rows.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type AdoptedChannel, type Adoption, readAdoption } from './adoption-form.ts';
import { type DeviceRefusal, findDevice, move } from './change-devices.ts';
import { createFromForm } from './change-services.ts';
import { lockGroup } from './group-rows.ts';
import { makeOwnGroup } from './make-own-group.ts';

export const adoptAsNewService: SettingsVerb<DeviceRefusal> = async (tx, requester, input, now) => {
  const { organizationId, form } = input;
  const device = await findDevice(tx, input);
  if (!device) return refuse('not_found');
  if (device.serviceId !== null) return refuse('moved_meanwhile');
  const read = readAdoption(form, requester.language);
  if (!read.ok) return refuse('bad_adoption');
  const adoption = read.value;
  const group = adoption.tellsOnlyMe
    ? await makeOwnGroup(tx, requester, input, now)
    : await lockGroup(tx, organizationId, adoption.settings.notificationGroupId);
  const settings = { ...adoption.settings, notificationGroupId: group?.id ?? null };
  const made = await createFromForm(tx, requester, input, now, settings);
  if (!made.ok) return made;
  const serviceId = made.value;
  const moved = await move(tx, requester, { organizationId, device, to: serviceId }, now, async (held) => {
    await updateInterval(held, device.id, adoption.uplinkIntervalMinutes);
    const described = describeChannels(serviceId, adoption.channels, requester.language);
    if (described.length > 0) await saveChannels(held, described, now);
  });
  if (!moved.ok) return moved;
  const template = findUnitTemplate(adoption.channels);
  if (template !== null) updateServices(tx, [{ id: serviceId, changes: { template } }]);
  await setLimits(tx, requester, { organizationId, serviceId, adoption }, now);
  return ok({ done: 'assign', to: `/services/${serviceId}` });
};

/** What it measures first says which kind of equipment it is: not its battery, nor a contact. */
const findUnitTemplate = (channels: readonly AdoptedChannel[]): TemplateName | null =>
  channels.find(({ template }) => template !== null && TEMPLATES[template].channel.kind === 'metric')
    ?.template ?? null;

/** In the language of whoever adopts. Two channels of one template are told apart by their names. */
function describeChannels(
  serviceId: ServiceId,
  channels: readonly AdoptedChannel[],
  language: Language,
): ChannelFields[] {
  return channels.flatMap(({ name, template }) => {
    if (template === null) return [];
    const { channel } = TEMPLATES[template];
    const { unit, kind } = channel;
    const label = language.say(channel.label);
    const { off: offWord, on: onWord } =
      'words' in channel ? channel.words(language) : { off: null, on: null };
    const isOneOfMany = channels.filter((other) => other.template === template).length > 1;
    return [
      { serviceId, name, label: isOneOfMany ? `${label} (${name})` : label, unit, kind, offWord, onWord },
    ];
  });
}

async function setLimits(
  tx: Tx,
  requester: SignedIn,
  {
    organizationId,
    serviceId,
    adoption,
  }: { organizationId: OrganizationId; serviceId: ServiceId; adoption: Adoption },
  now: Date,
): Promise<void> {
  const author = { id: requester.accountId, name: requester.name };
  const adoptions = adoption.channels
    .filter(({ limits }) => limits.bands.length > 0)
    .map(({ limits }) => ({ serviceId, organizationId, limits, origin: 'edit' as const, author }));
  if (adoptions.length > 0) await adoptAllLimits(tx, adoptions, now);
}
