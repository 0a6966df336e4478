// All that the page of one alarm shows.
import type { ComponentChildren } from 'preact';
import { organizationIdsOf, roleIn } from '../../domain/accounts/requester.ts';
import { lastedMs } from '../../domain/history/episode-spans.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { MINUTE_MS } from '../../domain/readings/span.ts';
import { describeSpan } from '../../domain/span.ts';
import { sayEpisodeCourse } from '../../domain/words/episode-words.ts';
import { readAlarmFacts } from '../../engine/alarm-state/read-alarm-facts.ts';
import { selectUnitNotes } from '../../engine/equipment/unit-notes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { describeTold } from '../../engine/told/told-model.ts';
import { selectNotificationsOfEpisode } from '../../engine/told/told-records.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { selectAcknowledgementsOf, selectEvents } from './episode-queries.ts';
import { type EpisodeModel, sayLasted, sayLimitOfRow, sayWorstOf, showEpisode } from './list-model.ts';
import { type EpisodeRow, selectEpisode } from './queries.ts';
import { readTelling } from './read-telling.ts';
import { type LineEntry, writeTimeLine } from './time-line.ts';

export interface EpisodePageModel extends EpisodeModel {
  serviceId: ServiceId;
  /** null: it is archived. */
  servicePath: string | null;
  chart: ComponentChildren;
  course: string;
  /** What was notified is no longer kept. */
  isForgotten: boolean;
  line: LineEntry[];
}

export interface EpisodeDeps {
  historyDb: ReadDatabase;
  /** Of another room: the chart of the channel over a span. null: there is none any more. */
  showChart(
    db: ReadDatabase,
    visitor: Visitor,
    span: { serviceId: ServiceId; channel: string | null; from: Date; to: Date },
  ): Promise<ComponentChildren>;
}

/** null: there is none, or it is of somebody else. */
export async function readEpisodePage(
  { historyDb: db, showChart }: EpisodeDeps,
  visitor: Visitor,
  id: string,
): Promise<EpisodePageModel | null> {
  const row = await selectEpisode(db, organizationIdsOf(visitor), id);
  const role = row && roleIn(visitor, row.organizationId);
  if (!row || !role) return null;
  const { language, now } = visitor;
  const { serviceId } = row;
  const [events, acknowledgements, notifications, tellingOf, facts, notes, chart] = await Promise.all([
    selectEvents(db, row, now),
    selectAcknowledgementsOf(db, row),
    selectNotificationsOfEpisode(db, serviceId, id),
    readTelling(db, [row]),
    readAlarmFacts(db, row.endedAt === null ? [serviceId] : [], language),
    selectUnitNotes(db, serviceId, spanAround(row, now), MOST_NOTES),
    showChart(db, visitor, { serviceId, channel: row.channelName, ...spanAround(row, now) }),
  ]);
  const told = await describeTold(db, notifications, { ...visitor, role });
  const telling = tellingOf(id);
  const shown = showEpisode(row, telling, facts.get(serviceId), visitor);
  const limit = sayLimitOfRow(row, language);
  return {
    ...shown,
    serviceId,
    servicePath: row.isArchived ? null : `/services/${serviceId}`,
    chart,
    course: sayEpisodeCourse(
      {
        name: row.channel?.label ?? row.channelName ?? row.serviceName,
        band: row.band,
        limit,
        isPercentage: row.isPercentage,
        lasted: sayLasted(lastedMs(row, now), language),
        isOver: row.endedAt !== null,
        worst: shown.worst === null ? null : { value: shown.worst, after: sayWorstAfter(row, visitor) },
      },
      language,
    ),
    isForgotten: telling === 'forgotten',
    line: writeTimeLine(
      {
        row,
        events,
        acknowledgements,
        told,
        notes,
        limit,
        worst: sayWorstOf(row, undefined, language),
      },
      visitor,
    ),
  };
}

/** null: it was worst from the beginning, or it is not known when. */
function sayWorstAfter({ overSince, worstAt }: EpisodeRow, { language }: Visitor): string | null {
  if (!overSince || !worstAt) return null;
  const ms = worstAt.getTime() - overSince.getTime();
  return ms < MINUTE_MS ? null : describeSpan(Math.floor(ms / MINUTE_MS) * MINUTE_MS, language);
}

/** On the page of one alarm. */
const MOST_NOTES = 100;

const LEAST_AROUND_MS = 15 * MINUTE_MS;

/** With a fifth of it before and behind. */
function spanAround({ overSince, beganAt, endedAt }: EpisodeRow, now: Date): { from: Date; to: Date } {
  const begin = Math.min(overSince?.getTime() ?? Number.POSITIVE_INFINITY, beganAt.getTime());
  const end = (endedAt ?? now).getTime();
  const around = Math.max(LEAST_AROUND_MS, (end - begin) / 5);
  return { from: new Date(begin - around), to: new Date(Math.min(end + around, now.getTime())) };
}
