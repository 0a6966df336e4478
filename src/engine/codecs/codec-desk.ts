// Whether a codec may still run: one that fails three times in a row is switched off, until somebody saves its source again.
import type { SourceSettings } from '../../domain/ways-in/source-settings.ts';
import type { Undecoded } from '../../domain/ways-in/undecoded.ts';
import type { Database } from '../../platform/db/database.ts';
import { switchCodecOff } from '../sources/source-rows.ts';
import { CodecLost, type CodecOutcome, type Codecs } from './codecs.ts';

const MOST_FAILURES = 3;
const MOST_REMEMBERED = 10_000;

interface CodecSource {
  sourceId: number;
  settings: SourceSettings;
  isCodecOff?: boolean;
}

export interface CodecDesk {
  /** Lets the reader go on with what the codec makes of it; answers with why it made nothing. */
  decode(source: CodecSource, undecoded: Undecoded, now: Date): Promise<string | null>;
}

const CODEC_IS_OFF = 'the codec is switched off, for it failed three times in a row';

export function openCodecDesk(db: Database, codecs: Codecs): CodecDesk {
  /** In a row, by source. */
  const failures = new Map<number, number>();

  async function fail(sourceId: number, reason: string, now: Date): Promise<void> {
    const count = (failures.get(sourceId) ?? 0) + 1;
    if (failures.size >= MOST_REMEMBERED) failures.clear();
    failures.set(sourceId, count);
    if (count === MOST_FAILURES) await db.transaction((tx) => switchCodecOff(tx, sourceId, reason, now));
  }

  return {
    async decode({ sourceId, settings, isCodecOff }, { uplink, take }, now) {
      if (isCodecOff || (failures.get(sourceId) ?? 0) >= MOST_FAILURES) return CODEC_IS_OFF;
      let outcome: CodecOutcome;
      try {
        outcome = await codecs.decode({ sourceId, code: settings.codec ?? '' }, uplink);
      } catch (error) {
        if (error instanceof CodecLost && error.isItsFault)
          await fail(sourceId, 'it does not end, and cannot be interrupted', now);
        throw error;
      }
      if ('failure' in outcome) {
        await fail(sourceId, outcome.failure, now);
        return `the codec failed: ${outcome.failure}`;
      }
      failures.delete(sourceId);
      const [error] = outcome.errors;
      if (error !== undefined) return `the codec says: ${error}`;
      if (outcome.payloads.length === 0) return 'the codec makes nothing of it';
      take(outcome.payloads);
      return null;
    },
  };
}
