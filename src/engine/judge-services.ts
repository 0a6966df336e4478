// Services as rows and services as the domain judges them: gathering the one into the other, and writing back what came
// of it. Shared by readings, the clock and new limits. Everything here expects the alarm states to be locked.
import type { ServiceId } from '../domain/ids.ts';
import type { ChannelState, Instant } from '../domain/judge.ts';
import type { Tx } from '../platform/db/database.ts';
import {
  insertEvents,
  type StoredAlarm,
  type StoredChannel,
  type TakeEpisodes,
  takeEpisodeIds,
  updateAlarms,
  updateDue,
  writeChannelStates,
} from './alarm-store.ts';
import { numberEpisodes } from './assess.ts';
import type { Assessment } from './assessment.ts';
import type { ServiceConfig } from './service-config.ts';
import { endAcknowledgements } from './services.ts';

type Services = { get(serviceId: ServiceId): ServiceConfig | undefined };
type States = Map<ServiceId, Map<string, ChannelState>>;

/** By service and channel name. */
export function gatherStates(services: Services, stored: readonly StoredChannel[]): States {
  const states: States = new Map();
  for (const { serviceId, channelId, state } of stored) {
    const channel = services.get(serviceId)?.channelsById.get(channelId);
    if (!channel) continue;
    const channels = states.get(serviceId) ?? new Map<string, ChannelState>();
    states.set(serviceId, channels.set(channel.name, state));
  }
  return states;
}

export async function writeAssessments(
  tx: Tx,
  assessed: readonly { stored: StoredAlarm; assessment: Assessment }[],
  now: Date,
  takeEpisodes: TakeEpisodes = takeEpisodeIds,
): Promise<void> {
  const channels = assessed.flatMap(({ assessment }) => assessment.channels);
  if (channels.length > 0) writeChannelStates(tx, channels);

  const events = assessed.flatMap(({ assessment }) => assessment.events);
  if (events.length > 0) {
    const raised = events.filter(({ kind }) => kind === 'raised').length;
    numberEpisodes(assessed, raised > 0 ? await takeEpisodes(tx, raised) : []);
    insertEvents(tx, events, now);
    const recovered = events.filter(({ kind }) => kind === 'recovered').map(({ serviceId }) => serviceId);
    if (recovered.length > 0) endAcknowledgements(tx, recovered, 'recovered', now);
  }
  const alarms = assessed.flatMap(({ assessment }) => assessment.alarm ?? []);
  if (alarms.length > 0) updateAlarms(tx, alarms);
  const due = assessed.filter(
    ({ stored, assessment }) => !assessment.alarm && isEarlier(assessment.nextDueAt, stored.nextDueAt),
  );
  if (due.length > 0) {
    updateDue(
      tx,
      due.map(({ stored, assessment }) => ({ serviceId: stored.serviceId, nextDueAt: assessment.nextDueAt })),
    );
  }
}

/** A service may be due earlier than needed, never later: most readings then leave the index alone. */
const isEarlier = (next: Instant | null, stored: Instant | null) =>
  next !== null && (stored === null || next < stored);
