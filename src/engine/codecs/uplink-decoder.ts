// Whether a codec may still run: one that fails three times in a row is switched off, until somebody saves its source again.
import type { Refused } from '../../domain/readings/refused.ts';
import type { SourceSettings } from '../../domain/ways-in/source-settings.ts';
import type { Undecoded } from '../../domain/ways-in/undecoded.ts';
import type { Database } from '../../platform/db/database.ts';
import { calmCodec, countCodecFailure, selectCodecState } from '../sources/source-rows.ts';
import { CodecLost, type CodecOutcome, type Codecs } from './codecs.ts';

const MOST_FAILURES = 3;
const MOST_REMEMBERED = 10_000;
/** How often a program looks whether the codec failed in another one: for a while after it did, before each payload. */
const LOOK_EVERY_MS = 1_000;
const SUSPECT_MS = 60_000;

interface CodecSource {
  sourceId: number;
  organizationId: number;
  settings: SourceSettings;
  isCodecOff?: boolean;
}

/** What this program knows of a codec. */
interface Known {
  failures: number;
  isOff: boolean;
  lookedAt: number;
  suspectUntil: number;
}

export interface UplinkDecoder {
  /** Lets the reader go on with what the codec makes of it; answers with why it made nothing. */
  decode(source: CodecSource, undecoded: Undecoded, now: Date): Promise<Refused | null>;
}

export function openUplinkDecoder(db: Database, codecs: Codecs): UplinkDecoder {
  const known = new Map<number, Known>();

  function remember(sourceId: number, { failures, isOff }: Pick<Known, 'failures' | 'isOff'>): Known {
    const now = performance.now();
    const suspectUntil = failures > 0 ? now + SUSPECT_MS : (known.get(sourceId)?.suspectUntil ?? 0);
    const state = { failures, isOff, lookedAt: now, suspectUntil };
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(sourceId, state);
    return state;
  }

  async function look(sourceId: number): Promise<Known> {
    const state = known.get(sourceId);
    const now = performance.now();
    if (state && now >= state.suspectUntil && now - state.lookedAt < LOOK_EVERY_MS) return state;
    return remember(sourceId, (await selectCodecState(db, sourceId)) ?? { failures: 0, isOff: false });
  }

  async function fail(sourceId: number, reason: string, now: Date): Promise<void> {
    const counted = await countCodecFailure(db, { sourceId, reason, most: MOST_FAILURES }, now);
    if (counted) remember(sourceId, counted);
  }

  return {
    async decode({ sourceId, organizationId, settings, isCodecOff }, { uplink, take }, now) {
      const state = isCodecOff ? null : await look(sourceId);
      if (!state || state.isOff) return { code: 'codec_off' };
      let outcome: CodecOutcome;
      try {
        outcome = await codecs.decode({ sourceId, organizationId, code: settings.codec ?? '' }, uplink);
      } catch (error) {
        if (error instanceof CodecLost && error.isItsFault)
          await fail(sourceId, 'it does not end, and cannot be interrupted', now);
        throw error;
      }
      if ('failure' in outcome) {
        await fail(sourceId, outcome.failure, now);
        return { code: 'codec_failed', text: outcome.failure };
      }
      if (state.failures > 0) {
        await calmCodec(db, sourceId);
        remember(sourceId, { failures: 0, isOff: false });
      }
      const [error] = outcome.errors;
      if (error !== undefined) return { code: 'codec_says', text: error };
      if (outcome.payloads.length === 0) return { code: 'codec_makes_nothing' };
      take(outcome.payloads);
      return null;
    },
  };
}
