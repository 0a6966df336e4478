// How long many units, or alarms, held together between one edge and the next.

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
