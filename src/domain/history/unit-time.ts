// How long many units, or alarms, held together between one edge and the next.
import { findStretch } from './find-stretch.ts';
import type { PastEpisodes } from './past-episodes.ts';

/** In milliseconds of one unit. */
export interface UnitTime {
  total: number;
  inAlarm: number;
}

/** What began and ended between an edge and the next. */
export interface HeldChange {
  /** The edge, counted from 0. */
  place: number;
  /** More began than ended by so many. */
  count: number;
  /** How long after the edge, what ended taken off what began. */
  ms: number;
}

/** What held at the first edge begins there. */
export function addUp(edges: readonly Date[], turns: readonly HeldChange[]): number[] {
  let holding = 0;
  return edges.slice(1).map((edge, place) => {
    const length = edge.getTime() - (edges[place] as Date).getTime();
    const { count, ms } = turns.find((turn) => turn.place === place) ?? { count: 0, ms: 0 };
    holding += count;
    return holding * length - ms;
  });
}

/** What of those at these places began and ended where. Each turns at two places, however many edges there are. */
export function turnsOf(
  { beganMs, lastedMs }: PastEpisodes,
  places: readonly number[],
  edges: readonly Date[],
): HeldChange[] {
  const starts = edges.map((edge) => edge.getTime());
  const [fromMs, toMs] = [starts[0] as number, starts.at(-1) as number];
  const changes = starts.slice(1).map((_, place): HeldChange => ({ place, count: 0, ms: 0 }));
  const turn = (sign: 1 | -1, at: number) => {
    const place = findStretch(starts, at);
    const change = changes[place];
    if (!change) return;
    change.count += sign;
    change.ms += sign * (at - (starts[place] as number));
  };
  for (const place of places) {
    const began = beganMs[place] as number;
    // One that holds has no end, and nothing ends before it begins.
    const ended = began + Math.max(0, lastedMs[place] as number);
    if (began >= toMs || ended <= fromMs) continue;
    turn(1, Math.max(fromMs, began));
    turn(-1, ended);
  }
  return changes;
}
