// A page of past alarms, for whoever looks at it.
import { organizationNameIn } from '../../domain/accounts/requester.ts';
import { lastedMs, waitedMs } from '../../domain/history/episode-spans.ts';
import type { Language } from '../../domain/language/speak.ts';
import { isNobody, sayCounts } from '../../domain/notifications/count-outcomes.ts';
import { describeSpan } from '../../domain/span.ts';
import { sayLimitOf } from '../../domain/words/alarm-facts.ts';
import { listPlace } from '../../domain/words/place.ts';
import { measuredOf, sayValue } from '../../domain/words/say-value.ts';
import { type FactsOfAlarm, readAlarmFacts } from '../../engine/alarm-state/read-alarm-facts.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type ShownTime, showTime } from '../../platform/html/time.tsx';
import type { EpisodeRow } from './queries.ts';
import { readTelling, type Telling } from './read-telling.ts';

export interface EpisodeModel {
  id: string;
  name: string;
  place: string[];
  severity: EpisodeRow['severity'];
  /** What was measured, and beyond which limit. */
  about: string | null;
  began: ShownTime;
  ended: ShownTime | null;
  lasted: string;
  /** null: not known, or it was a state. */
  worst: string | null;
  acknowledged: { by: string; after: string } | null;
  comments: string[];
  told: { words: string; isNobody: boolean };
}

export async function showEpisodes(
  db: ReadDatabase,
  rows: readonly EpisodeRow[],
  visitor: Visitor,
): Promise<EpisodeModel[]> {
  const holding = rows.filter(({ endedAt }) => endedAt === null).map(({ serviceId }) => serviceId);
  const [tellingOf, facts] = await Promise.all([
    readTelling(db, rows),
    readAlarmFacts(db, holding, visitor.language),
  ]);
  return rows.map((row) => showEpisode(row, tellingOf(row.id), facts.get(row.serviceId), visitor));
}

export function showEpisode(
  row: EpisodeRow,
  telling: Telling,
  facts: FactsOfAlarm | undefined,
  visitor: Visitor,
): EpisodeModel {
  const { language, now } = visitor;
  const { id, serviceName, severity, beganAt, endedAt, acknowledgedBy, comments } = row;
  const waited = waitedMs(row);
  const organizationName = organizationNameIn(visitor, row.organizationId);
  return {
    id,
    name: serviceName,
    place: listPlace({ organizationName, locationName: row.locationName }),
    severity,
    about: sayAbout(row, language),
    began: showTime(beganAt, visitor),
    ended: endedAt && showTime(endedAt, visitor),
    lasted: sayLasted(lastedMs(row, now), language),
    worst: sayWorstOf(row, facts, language),
    acknowledged:
      waited === null || acknowledgedBy === null
        ? null
        : { by: acknowledgedBy, after: describeSpan(waited, language) },
    comments: comments?.split('\n') ?? [],
    told: sayTold(telling, language),
  };
}

/** Nothing lasts less than a minute. */
export const sayLasted = (ms: number, language: Language): string =>
  describeSpan(Math.max(1, Math.floor(ms / 60_000)) * 60_000, language);

/** `Temperature, limit −60 °C`; null: nobody knows any more. */
function sayAbout(row: EpisodeRow, language: Language): string | null {
  const name = row.channel?.label ?? row.channelName;
  const limit = sayLimitOfRow(row, language);
  if (name === null || limit === null) return name;
  return language.say('{name}, limit {limit}', { name, limit });
}

/** null: not known, or a state has none. */
export const sayLimitOfRow = (
  { channel, band, limit, isPercentage }: EpisodeRow,
  language: Language,
): string | null =>
  channel && sayLimitOf({ band, limit, isPercentage, measured: measuredOf(channel, language) }, language);

/** Of one that holds, the worst so far; of a state there is none. */
export function sayWorstOf(
  { id, endedAt, channel, worst }: EpisodeRow,
  facts: FactsOfAlarm | undefined,
  language: Language,
): string | null {
  const measured = channel && measuredOf(channel, language);
  if (!measured || measured.words) return null;
  const value = endedAt === null && facts?.episodeId === id ? facts.worst : worst;
  return value === null ? null : sayValue(value, measured, language);
}

function sayTold(telling: Telling, language: Language): EpisodeModel['told'] {
  if (telling === 'forgotten') return { words: language.say('No longer kept'), isNobody: false };
  if (telling === 'undecided') return { words: language.say('Not decided yet'), isNobody: false };
  return { words: sayCounts(telling, language), isNobody: isNobody(telling) };
}
