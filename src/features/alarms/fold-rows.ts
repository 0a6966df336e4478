// Many alarms of one place are one thing to look at, and so are many units that fall silent behind one source: they fold, where
// the worst of them stands.
export interface FoldedRow {
  organizationId: number;
  locationId: number | null;
  /** Of a unit that is only stale; null: it is not, or nobody knows. */
  sourceName: string | null;
  /** Critical, and nobody has taken it on yet. */
  isUnheard: boolean;
  since: { iso: string };
}

export interface Fold<Row> {
  /** The same as long as it is about the same. */
  key: string;
  by: 'source' | 'place';
  rows: Row[];
  /** Since when the newest that nobody has taken on; null: there is none. */
  opensBy: string | null;
}

/** Rows one by one, or a fold. */
export type Block<Row> = { key: null; rows: Row[] } | Fold<Row>;

/** So many are many. */
export const MANY = 5;

/** Only where there are others beside them. What nobody has taken on yet is never hidden. */
export function foldRows<Row extends FoldedRow>(rows: readonly Row[]): Block<Row>[] {
  const bySource = gather(rows, sourceOf);
  const rest = rows.filter((row) => !bySource.has(sourceOf(row) ?? ''));
  const byPlace = gather(rest, placeOf);
  const findFold = (row: Row): Pick<Fold<Row>, 'key' | 'by' | 'rows'> | null => {
    const [source, place] = [sourceOf(row) ?? '', placeOf(row) ?? ''];
    const silent = bySource.get(source);
    if (silent) return { key: source, by: 'source', rows: silent };
    const there = byPlace.get(place);
    return there ? { key: place, by: 'place', rows: there } : null;
  };

  const blocks: Block<Row>[] = [];
  const begun = new Set<string>();
  for (const row of rows) {
    const fold = findFold(row);
    if (fold === null || fold.rows.length === rows.length) {
      const last = blocks.at(-1);
      if (last?.key === null) last.rows.push(row);
      else blocks.push({ key: null, rows: [row] });
    } else if (!begun.has(fold.key)) {
      begun.add(fold.key);
      blocks.push({ ...fold, opensBy: findNewestUnheard(fold.rows) });
    }
  }
  return blocks;
}

function gather<Row>(rows: readonly Row[], keyOf: (row: Row) => string | null): Map<string, Row[]> {
  const gathered = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key === null) continue;
    const known = gathered.get(key);
    if (known) known.push(row);
    else gathered.set(key, [row]);
  }
  return new Map([...gathered].filter(([, alike]) => alike.length >= MANY));
}

const findNewestUnheard = (rows: readonly FoldedRow[]): string | null =>
  rows
    .flatMap(({ isUnheard, since }) => (isUnheard ? since.iso : []))
    .sort()
    .at(-1) ?? null;

const sourceOf = ({ organizationId, sourceName }: FoldedRow): string | null =>
  sourceName === null ? null : `source-${organizationId}-${sourceName}`;

const placeOf = ({ organizationId, locationId }: FoldedRow): string | null =>
  locationId === null ? null : `place-${organizationId}-${locationId}`;
