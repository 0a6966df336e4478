// What an analysis looks at: the last 30 days of the channels it is about, and of the channels these are judged by.
import type { Span } from '../../domain/advisor/history.ts';
import { HOUR_MS } from '../../domain/readings/span.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { ServiceConfig } from '../alarm-state/service-config.ts';
import type { HistoryByChannel, LimitsByChannel } from './analysis.ts';
import { readHistories } from './read-histories.ts';

export interface Material {
  histories: HistoryByChannel;
  /** As stored; fewer points may stand for them. */
  readings: number;
  /** Inside the window; null: there are none of the channels it is about. */
  firstReadingAt: number | null;
  window: Span;
}

const LOOKED_AT_MS = 30 * 24 * HOUR_MS;

export async function gatherMaterial(
  db: ReadDatabase,
  config: ServiceConfig,
  about: { channels: string[]; limits: LimitsByChannel[] },
  now: Date,
): Promise<Material> {
  const window = { from: now.getTime() - LOOKED_AT_MS, to: now.getTime() };
  const find = (names: (string | null)[]) =>
    [...new Set(names)].flatMap((name) => (name !== null && config.channels.get(name)) || []);
  const referredTo = about.limits.flatMap((limits) =>
    [...limits.values()].flatMap(({ setpointChannel, stateChannel }) => [setpointChannel, stateChannel]),
  );
  const { byChannel, readings } = await readHistories(db, {
    serviceId: config.serviceId,
    channels: find([...about.channels, ...referredTo]),
    related: find(referredTo),
    from: new Date(window.from),
    // What was measured this very moment counts.
    to: new Date(window.to + 1),
  });
  const firsts = about.channels.flatMap((name) => byChannel.get(name)?.at[0] ?? []);
  return {
    histories: byChannel,
    readings,
    firstReadingAt: firsts.length > 0 ? Math.max(window.from, Math.min(...firsts)) : null,
    window,
  };
}
