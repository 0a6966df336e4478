import { findChanges } from '../../domain/changes.ts';
import { CHANNEL_KINDS } from '../../domain/equipment/channel-kind.ts';
import { message } from '../../domain/language/message.ts';
import { ok, refuse } from '../../domain/result.ts';
import { reassess } from '../../engine/alarm-state/reassess.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { forgetSentUnit, saveChannels } from '../../engine/equipment/channels.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { SettingsVerb } from '../../engine/pages/settings-routes.ts';
import { reconfigureServices, unchanged } from '../../engine/services/reconfigure-services.ts';
import { selectChannel } from './channel-rows.ts';
import { CHANNELS } from './paths.ts';

export type ChannelRefusal = 'label_too_long' | 'unit_too_long' | 'unknown_kind' | 'word_too_long';

export const CHANNEL_REFUSALS: Record<ChannelRefusal, [field: string, text: string]> = {
  label_too_long: ['label', message('A label has at most 100 characters.')],
  unit_too_long: ['unit', message('A unit has at most 20 characters.')],
  unknown_kind: ['kind', message('Choose a kind from the list.')],
  word_too_long: ['on_word', message('A word has at most 40 characters.')],
};

const LONGEST_LABEL = 100;
const LONGEST_UNIT = 20;
const LONGEST_WORD = 40;

const readText = (typed: string | undefined): string | null => (typed ?? '').trim() || null;
const isLonger = (text: string | null, most: number): boolean => [...(text ?? '')].length > most;

/** Only metrics are judged by the service-wide limits, so with a new kind the service is judged again at once. */
export const save: SettingsVerb<ChannelRefusal> = async (tx, requester, { organizationId, form }, now) => {
  const label = readText(form.label);
  const unit = readText(form.unit);
  const offWord = readText(form.off_word);
  const onWord = readText(form.on_word);
  const kind = CHANNEL_KINDS.find((known) => known === form.kind);
  if (isLonger(label, LONGEST_LABEL)) return refuse('label_too_long');
  if (isLonger(unit, LONGEST_UNIT)) return refuse('unit_too_long');
  if (!kind) return refuse('unknown_kind');
  if (isLonger(offWord, LONGEST_WORD) || isLonger(onWord, LONGEST_WORD)) return refuse('word_too_long');

  const channelId = readPageId(form.channel_id) ?? 0;
  const seen = await selectChannel(tx, organizationId, channelId);
  if (!seen) return refuse('not_found');
  const { serviceId } = seen;
  const saved = await reconfigureServices(tx, [serviceId], now, async (held) => {
    const channel = await selectChannel(held, organizationId, channelId);
    if (!channel) return unchanged(null);
    const sentUnit = form.agree === 'on' ? null : channel.sentUnit;
    const wanted = { label, unit, kind, offWord, onWord, sentUnit };
    const changes = findChanges({ ...channel }, wanted);
    if (Object.keys(changes).length === 0) return unchanged({ channel, changes });
    await saveChannels(held, [{ ...channel, ...wanted }], now);
    if ('sentUnit' in changes) await forgetSentUnit(held, channel.id);
    return { changed: [serviceId], value: { channel, changes } };
  });
  if (!saved) return refuse('not_found');
  const { channel, changes } = saved;
  if ('kind' in changes) await reassess(tx, [serviceId], now);
  if (Object.keys(changes).length > 0)
    await writeAudit(
      tx,
      requester,
      { action: 'channel.edit', organizationId, detail: { channel: channel.name, changes }, serviceId },
      now,
    );
  return ok({ to: `${CHANNELS}?service=${serviceId}` });
};
