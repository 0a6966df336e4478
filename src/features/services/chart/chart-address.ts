// What a chart shows, as its address says it.
import { MOST_OVER } from '../../../domain/chart/over-scale.ts';
import { formatInstant } from '../../../domain/instant.ts';
import type { ShownChannel } from '../shown-service/queries.ts';
import type { ChartRange } from './chart-range.ts';

export interface ChartChoice {
  serviceId: number;
  channel: string;
  range: ChartRange;
  /** Drawn over it: ids of channels. */
  over: readonly number[];
}

export function chartAddress({ serviceId, channel, range, over }: ChartChoice): string {
  const span =
    range.name === null
      ? { from: formatInstant(range.from), to: formatInstant(range.to) }
      : { range: range.name };
  const others = over.length === 0 ? {} : { over: over.join() };
  return `/services/${serviceId}?${new URLSearchParams({ channel, ...span, ...others })}#chart`;
}

/** `over=12,15`; what is no other channel of the service is left out. */
export function readOver(
  text: string | undefined,
  channels: readonly ShownChannel[],
  main: ShownChannel,
): ShownChannel[] {
  const asked = new Set((text ?? '').split(','));
  return channels.filter(({ id }) => id !== main.id && asked.has(String(id))).slice(0, MOST_OVER);
}
