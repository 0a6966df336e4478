// Items of many organizations, one after the other: one that fails costs itself only, and one that ended the program twice is
// left out.
import { hold, SetAside } from './in-hand.ts';

/** So many one after the other are not the items' fault: there is no database, for one. */
const MOST_IN_A_ROW = 10;

/** Does all of them, then throws what failed by its name, for the log. */
export async function eachAlone<Item>(
  items: Iterable<Item>,
  nameOf: (item: Item) => string,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const faults: Error[] = [];
  let inARow = 0;
  for (const item of items) {
    try {
      await hold(nameOf(item), () => work(item));
      inARow = 0;
    } catch (error) {
      // Health names it.
      if (error instanceof SetAside) continue;
      faults.push(new Error(`${nameOf(item)} failed`, { cause: error }));
      inARow += 1;
      if (inARow === MOST_IN_A_ROW) break;
    }
  }
  const [first] = faults;
  if (first && faults.length === 1) throw first;
  if (first) throw new AggregateError(faults, `${faults.length} failed by themselves`);
}

/** The same work for all of them at once where it can be, each by itself where that fails. */
export async function togetherOrAlone<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  work: (items: readonly Item[]) => Promise<unknown>,
): Promise<void> {
  if (items.length === 0) return;
  try {
    await work(items);
  } catch {
    await eachAlone(items, nameOf, (item) => work([item]));
  }
}
