// Limits in force and limits that somebody has in mind, tried on the same stored history.

import type { Backtest } from '../../domain/advisor/recommendation.ts';
import { formatInstant } from '../../domain/instant.ts';
import type { JudgedLimits } from '../../domain/judging/judge.ts';
import type { Limits } from '../../domain/judging/limits.ts';
import { type Channel, hasOwnLimits, type ServiceConfig } from '../alarm-state/service-config.ts';
import type { LimitsByChannel } from './analysis.ts';
import type { Material } from './gather-material.ts';
import type { Analyst } from './start-analyst.ts';

/** Of the channels that new limits are about: what they are judged by now, and what they would be judged by. */
export interface Comparison {
  channels: string[];
  current: LimitsByChannel;
  proposed: LimitsByChannel;
}

/** Service-wide limits are about the metric channels that have none of their own. */
export function planComparison(config: ServiceConfig, limits: Limits): Comparison {
  const channels =
    limits.channel !== null
      ? [limits.channel]
      : [...config.channels.values()]
          .filter(({ name, kind }) => kind === 'metric' && !hasOwnLimits(config, name))
          .map(({ name }) => name);
  const judged = toJudged(limits);
  return {
    channels,
    current: new Map([...config.limits].filter(([name]) => channels.includes(name))),
    proposed: new Map(channels.map((name) => [name, withClearing(judged, config.channels.get(name))])),
  };
}

const withClearing = (judged: JudgedLimits, channel: Channel | undefined): JudgedLimits =>
  channel?.clear ? { ...judged, clear: channel.clear } : judged;

const toJudged = ({ isPercentage, setpointChannel, stateChannel, bands }: Limits): JudgedLimits => ({
  // Not a version yet.
  versionId: 0,
  isPercentage,
  setpointChannel,
  stateChannel,
  bands: bands.flatMap(({ band, limit, sustainedMinutes }) =>
    limit === null ? [] : [{ band, limit, sustainedMs: sustainedMinutes * 60_000 }],
  ),
});

/** null: nothing is stored that could be judged. */
export async function compareLimits(
  analyst: Analyst,
  comparison: Comparison,
  { firstReadingAt, readings, window }: Omit<Material, 'histories'>,
): Promise<Backtest | null> {
  if (firstReadingAt === null) return null;
  const limits = [comparison.current, comparison.proposed];
  const [current, proposed] = await analyst.backtest({ limits, window });
  if (!current || !proposed) throw new Error('The backtest gave no figures');
  return {
    from: formatInstant(new Date(firstReadingAt)),
    to: formatInstant(new Date(window.to)),
    readings,
    current,
    proposed,
  };
}
