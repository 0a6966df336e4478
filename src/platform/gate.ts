/** Lets a few through at a time; others wait outside, in the order they came. */
export interface Gate {
  pass<Value>(work: () => Promise<Value>): Promise<Value>;
}

export function openGate(atOnce: number): Gate {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return {
    async pass(work) {
      // Whoever leaves hands the place on, so that nobody slips in between.
      if (inside >= atOnce) await new Promise<void>((enter) => waiting.push(enter));
      else inside += 1;
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
