// Many past alarms side by side, as the database packs them: the number of the unit, whether it was critical, when it began, how long
// it lasted and how long nobody had it.

export interface PastEpisodes {
  count: number;
  serviceIds: Int32Array;
  isCritical: Uint8Array;
  beganMs: Float64Array;
  /** NaN: it holds. */
  lastedMs: Float64Array;
  /** NaN: nobody took it. */
  waitedMs: Float64Array;
}

/** What one of them takes in a pack. */
const BYTES = 4 + 1 + 3 * 8;

function makeRoom(most: number): PastEpisodes {
  return {
    count: 0,
    serviceIds: new Int32Array(most),
    isCritical: new Uint8Array(most),
    beganMs: new Float64Array(most),
    lastedMs: new Float64Array(most),
    waitedMs: new Float64Array(most),
  };
}

/** Stops after each pack. */
export function* readPastEpisodes(packs: readonly Uint8Array[]): Generator<void, PastEpisodes> {
  const episodes = makeRoom(packs.reduce((sum, { length }) => sum + length / BYTES, 0));
  for (const pack of packs) {
    const view = new DataView(pack.buffer, pack.byteOffset, pack.byteLength);
    for (let offset = 0; offset < pack.length; offset += BYTES) readOne(view, offset, episodes);
    yield;
  }
  return episodes;
}

function readOne(view: DataView, offset: number, episodes: PastEpisodes): void {
  const place = episodes.count;
  episodes.serviceIds[place] = view.getInt32(offset);
  episodes.isCritical[place] = view.getUint8(offset + 4);
  episodes.beganMs[place] = view.getFloat64(offset + 5);
  episodes.lastedMs[place] = view.getFloat64(offset + 13);
  episodes.waitedMs[place] = view.getFloat64(offset + 21);
  episodes.count += 1;
}

export interface EpisodeChoice {
  /** null: of any. */
  units: ReadonlySet<number> | null;
  severity?: 'critical' | 'warning' | null;
  state?: 'running' | 'unacknowledged' | null;
  /** When it began. */
  from: Date;
  /** Exclusive. */
  to: Date;
}

/** Their places, in no order. */
export function choosePlaces(episodes: PastEpisodes, choice: EpisodeChoice): number[] {
  const { units, severity = null, state = null } = choice;
  const [fromMs, toMs] = [choice.from.getTime(), choice.to.getTime()];
  const { serviceIds, isCritical, beganMs, lastedMs, waitedMs } = episodes;
  const places: number[] = [];
  for (let place = 0; place < episodes.count; place += 1) {
    const began = beganMs[place] as number;
    if (began < fromMs || began >= toMs) continue;
    if (severity !== null && (isCritical[place] === 1) !== (severity === 'critical')) continue;
    if (state !== null && !Number.isNaN((state === 'running' ? lastedMs : waitedMs)[place])) continue;
    if (units !== null && !units.has(serviceIds[place] as number)) continue;
    places.push(place);
  }
  return places;
}

export const everyPlace = ({ count }: PastEpisodes): number[] =>
  Array.from({ length: count }, (_, place) => place);
