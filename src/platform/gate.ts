/** Lets a few through at a time; others wait outside, in the order they came. */
export interface Gate {
  /** Throws `GateFull` at whoever finds too many waiting. */
  pass<Value>(work: () => Promise<Value>): Promise<Value>;
}

export class GateFull extends Error {}

export function openGate(atOnce: number, mostWaiting = Number.POSITIVE_INFINITY): Gate {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return {
    async pass(work) {
      if (inside < atOnce) inside += 1;
      else if (waiting.length >= mostWaiting) throw new GateFull(`${mostWaiting} are waiting already`);
      // Whoever leaves hands the place on, so that nobody slips in between.
      else await new Promise<void>((enter) => waiting.push(enter));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else inside -= 1;
      }
    },
  };
}
