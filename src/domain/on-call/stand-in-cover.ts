// Which stand-in counts when, worked out once for all who ask about the same rota.

export interface StandIn {
  id: number;
  startAt: Date;
  endAt: Date;
  accountId: number;
  insteadOfId: number | null;
}

export interface Cover {
  /** The newest of those that hold at that moment. */
  find(at: Date): StandIn | null;
  /** When the next of them begins or ends, in milliseconds; null: none does. */
  findEdge(at: Date): number | null;
}

/** `standIns`: the oldest first. Those of accounts that cannot be told begin and end, and cover nothing. */
export function coverBy(standIns: readonly StandIn[], present: ReadonlySet<number>): Cover {
  const edges = [
    ...new Set(standIns.flatMap(({ startAt, endAt }) => [startAt.getTime(), endAt.getTime()])),
  ].sort((one, other) => one - other);
  const placeOf = new Map(edges.map((edge, place) => [edge, place]));
  /** By the edge that it begins at. */
  const covered = new Array<StandIn | null>(edges.length).fill(null);
  /** Leads past what is covered already, so that each span is covered once. */
  const open = edges.map((_, place) => place);
  const findOpen = (from: number): number => {
    let place = from;
    while (place < open.length && open[place] !== place) {
      open[place] = open[open[place] as number] ?? open.length;
      place = open[place] as number;
    }
    return place;
  };
  for (const standIn of standIns.toReversed()) {
    if (!present.has(standIn.accountId)) continue;
    const end = placeOf.get(standIn.endAt.getTime()) ?? 0;
    for (
      let place = findOpen(placeOf.get(standIn.startAt.getTime()) ?? 0);
      place < end;
      place = findOpen(place + 1)
    ) {
      covered[place] = standIn;
      open[place] = place + 1;
    }
  }
  /** How many of them are not after it. */
  const countBegun = (at: Date): number => {
    const atMs = at.getTime();
    let [low, high] = [0, edges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((edges[middle] as number) <= atMs) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    find: (at) => covered[countBegun(at) - 1] ?? null,
    findEdge: (at) => edges[countBegun(at)] ?? null,
  };
}
