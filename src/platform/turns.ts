// Several wait for one thing, and each of them is somebody's: an organization's, mostly. Who comes next is decided here alone:
// whoever has the fewest under way, and among equals whoever had no turn for longest.

type Name = string | number;

export interface TurnRules {
  /** Of all together. */
  atOnce: number;
  /** Nobody has more under way than is left over: whoever comes next finds a place, however much one of them brought. */
  leavesRoom?: boolean;
  /** Of one name; no fewer than one. */
  mostOf?(name: Name): number;
}

/** Counts what is under way. */
interface Turns {
  /** Of those who wait, in the order of their last turns. null: each of them has to wait on. */
  choose(waiting: Iterable<Name>): Name | null;
  mayBegin(name: Name): boolean;
  begin(name: Name): void;
  end(name: Name): void;
}

export function countTurns({ atOnce, leavesRoom = false, mostOf = () => atOnce }: TurnRules): Turns {
  const underWay = new Map<Name, number>();
  let free = atOnce;
  const busyOf = (name: Name) => underWay.get(name) ?? 0;
  const mayBegin = (name: Name) => free > (leavesRoom ? busyOf(name) : 0) && busyOf(name) < mostOf(name);
  return {
    choose(waiting) {
      let next: Name | null = null;
      if (free <= 0) return next;
      for (const name of waiting)
        if (mayBegin(name) && (next === null || busyOf(name) < busyOf(next))) next = name;
      return next;
    },
    mayBegin,
    begin(name) {
      free -= 1;
      underWay.set(name, busyOf(name) + 1);
    },
    end(name) {
      free += 1;
      if (busyOf(name) > 1) underWay.set(name, busyOf(name) - 1);
      else underWay.delete(name);
    },
  };
}

/** Those who wait, by name. */
export interface Lines<Item> {
  put(name: Name, item: Item): void;
  /** Before all others of its name: it had its turn, and comes back. */
  putBack(name: Name, item: Item): void;
  countWaiting(name: Name): number;
  mayBegin(name: Name): boolean;
  /** Counts as under way until `end`. null: nobody waits who may begin. */
  next(): { name: Name; item: Item } | null;
  end(name: Name): void;
  /** Nobody waits any more. */
  clear(): Item[];
}

export function openLines<Item>(rules: TurnRules): Lines<Item> {
  const { choose, mayBegin, begin, end } = countTurns(rules);
  const waiting = new Map<Name, Item[]>();
  const lineOf = (name: Name): Item[] => {
    const line = waiting.get(name) ?? [];
    waiting.set(name, line);
    return line;
  };
  /** It had its turn. */
  const comeLast = (name: Name) => {
    const line = waiting.get(name);
    waiting.delete(name);
    if (line && line.length > 0) waiting.set(name, line);
  };
  return {
    put: (name, item) => void lineOf(name).push(item),
    putBack: (name, item) => void lineOf(name).unshift(item),
    countWaiting: (name) => waiting.get(name)?.length ?? 0,
    mayBegin,
    next() {
      const name = choose(waiting.keys());
      if (name === null) return null;
      const item = lineOf(name).shift() as Item;
      begin(name);
      comeLast(name);
      return { name, item };
    },
    end(name) {
      end(name);
      comeLast(name);
    },
    clear() {
      const left = [...waiting.values()].flat();
      waiting.clear();
      return left;
    },
  };
}

export interface Gate {
  /** Too many of the name wait already. */
  isFull(name: Name): boolean;
  /** Throws `GateFull` at whoever comes all the same. */
  pass<Value>(name: Name, work: () => Promise<Value>): Promise<Value>;
}

export class GateFull extends Error {}

/** Lets a few through at a time. */
export function openGate(rules: TurnRules & { mostWaiting?: number }): Gate {
  const { mostWaiting = Number.POSITIVE_INFINITY } = rules;
  const lines = openLines<() => void>(rules);
  const letIn = () => {
    for (let next = lines.next(); next; next = lines.next()) next.item();
  };
  const isFull = (name: Name) => lines.countWaiting(name) >= mostWaiting && !lines.mayBegin(name);
  return {
    isFull,
    async pass(name, work) {
      if (isFull(name)) throw new GateFull(`${mostWaiting} are waiting already`);
      return new Promise((resolve, reject) => {
        lines.put(name, async () => {
          try {
            resolve(await work());
          } catch (error) {
            reject(error);
          } finally {
            lines.end(name);
            letIn();
          }
        });
        letIn();
      });
    },
  };
}
