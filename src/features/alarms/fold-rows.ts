// Many alarms of one place are one thing to look at: they fold, where the worst of them stands.
export interface FoldedRow {
  organizationId: number;
  locationId: number | null;
  /** Critical, and nobody has taken it on yet. */
  isUnheard: boolean;
  since: { iso: string };
}

/** Rows one by one, or all of a place. */
export type Block<Row> =
  | { place: null; rows: Row[] }
  /** `opensBy`: since when the newest that nobody has taken on; null: there is none. */
  | { place: string; rows: Row[]; opensBy: string | null };

/** So many of one place are many. */
const MANY = 5;

/** Only where there are others beside them. What nobody has taken on yet is never hidden. */
export function foldRows<Row extends FoldedRow>(rows: readonly Row[]): Block<Row>[] {
  const places = new Map<string, Row[]>();
  for (const row of rows) {
    const place = placeOf(row);
    if (place === null) continue;
    const known = places.get(place);
    if (known) known.push(row);
    else places.set(place, [row]);
  }
  const blocks: Block<Row>[] = [];
  const folded = new Set<string>();
  for (const row of rows) {
    const place = placeOf(row);
    const alike = (place !== null && places.get(place)) || [];
    if (place === null || alike.length < MANY || alike.length === rows.length) {
      const last = blocks.at(-1);
      if (last?.place === null) last.rows.push(row);
      else blocks.push({ place: null, rows: [row] });
    } else if (!folded.has(place)) {
      folded.add(place);
      blocks.push({ place, rows: alike, opensBy: findNewestUnheard(alike) });
    }
  }
  return blocks;
}

const findNewestUnheard = (rows: readonly FoldedRow[]): string | null =>
  rows
    .flatMap(({ isUnheard, since }) => (isUnheard ? since.iso : []))
    .sort()
    .at(-1) ?? null;

const placeOf = ({ organizationId, locationId }: FoldedRow): string | null =>
  locationId === null ? null : `${organizationId}-${locationId}`;
