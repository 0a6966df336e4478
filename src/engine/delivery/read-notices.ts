// Notifications with all that a transport needs to say them, in a fixed number of statements.

import sql from 'sql-template-tag';
import type { ChannelKind } from '../../domain/equipment/channel-kind.ts';
import { type FoundGuidance, valuesOf } from '../../domain/guidance/guidance.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import type { Notice } from '../../domain/notifications/notice.ts';
import { canBeAcknowledged, isAbout, isBeginning, type Subject } from '../../domain/notifications/subject.ts';
import { trimEnd } from '../../domain/trim-sign.ts';
import { sayAlarm, toFacts } from '../../domain/words/alarm-facts.ts';
import { sayToPeople } from '../../domain/words/alarm-message.ts';
import { sayNote, splitUnsteady } from '../../domain/words/note-words.ts';
import { findStateWords } from '../../domain/words/state-words.ts';
import type { Database } from '../../platform/db/database.ts';
import { type HoldingAlarm, readHoldingAlarms } from '../alarm-state/read-alarm-facts.ts';
import { readGuidanceOf } from '../guidance/guidance-rows.ts';
import { type CurveRow, type Curves, readCurves } from '../readings/read-curves.ts';
import type { RescuePlan } from '../rescue/read-plan.ts';
import type { RescuePlans } from '../rescue/rescue-reader.ts';
import { sayRescue } from '../rescue/rescue-words.ts';
import { WITH_PLACE } from '../sql-parts/place.ts';

interface NoticeRow extends CurveRow {
  subject: Subject;
  mark: Notice['mark'] | 'hand_over';
  isRepeat: boolean;
  organizationName: string;
  groupName: string;
  serviceName: string | null;
  locationName: string | null;
  episodeId: string | null;
  severity: Notice['severity'];
  message: string;
  channel: string | null;
  channelLabel: string | null;
  channelKind: ChannelKind | null;
  offWord: string | null;
  onWord: string | null;
  unit: string | null;
  value: number | null;
  limit: number | null;
  since: Date | null;
  happenedAt: Date;
  authorName: string | null;
  comment: string | null;
  token: string | null;
}

/** By notification id. Those who read the same language get the same one. */
export type Notices = (notificationId: string, language: Language) => Notice | undefined;

/** `read`: the curves of those that are drawn. */
export async function composeNotices(
  db: Database,
  notificationIds: readonly string[],
  publicUrl: string,
  read: (rows: readonly CurveRow[]) => Promise<Curves> = (rows) => readCurves(db, rows),
  readRescue: (rows: readonly CurveRow[]) => Promise<RescuePlans> = async () => new Map(),
): Promise<Notices> {
  const found = await selectNotices(db, notificationIds);
  const alarms = await readHoldingAlarms(db, [
    ...new Set(found.filter(isAboutAlarm).map(({ serviceId }) => serviceId)),
  ]);
  const guidance = await readGuidanceOf(db, [
    ...new Set(found.filter(isWrong).map(({ serviceId }) => serviceId)),
  ]);
  const rows = found.map((row) => {
    const known = isAboutAlarm(row) ? alarms.get(row.serviceId) : undefined;
    const holding = known?.episodeId === row.episodeId ? known : null;
    // The curve ends with the value that is said beside it.
    const at = holding?.value == null ? 0 : (holding.at ?? 0);
    return {
      ...row,
      toldAt: new Date(Math.max(at, row.toldAt.getTime())),
      alarm: holding,
      guidance: isWrong(row) ? (guidance.get(row.serviceId) ?? null) : null,
    };
  });
  const curves = await read(rows);
  const rescues = await readRescue(rows.filter((row) => row.mark === null && canBeAcknowledged(row.subject)));
  const base = trimEnd(publicUrl, '/');
  const byId = new Map(rows.map((row) => [row.id, row]));
  const said = new Map<Language, Map<string, Notice>>();
  return (id, language) => {
    const own = said.get(language) ?? new Map<string, Notice>();
    said.set(language, own);
    const known = own.get(id);
    const row = byId.get(id);
    if (known || !row) return known;
    const notice = toNotice(
      row,
      { curve: curves.get(id) ?? null, rescue: rescues.get(id) ?? null },
      base,
      language,
    );
    own.set(id, notice);
    return notice;
  };
}

/** Of an alarm that may still hold. */
const isAboutAlarm = (row: NoticeRow): row is NoticeRow & { serviceId: ServiceId } =>
  row.serviceId !== null &&
  (row.mark === null || row.mark === 'hand_over') &&
  isAbout(row.subject, 'alarm') &&
  row.subject !== 'recovery';

/** A drill is done as if it were. */
const isWrong = (row: NoticeRow): row is NoticeRow & { serviceId: ServiceId } =>
  row.serviceId !== null && row.mark !== 'test' && isBeginning(row.subject);

function toNotice(
  { alarm, guidance, ...row }: NoticeRow & { alarm: HoldingAlarm | null; guidance: FoundGuidance | null },
  { curve, rescue }: { curve: Notice['curve']; rescue: RescuePlan | null },
  base: string,
  language: Language,
): Notice {
  const {
    id,
    serviceId,
    serviceName,
    happenedAt,
    authorName,
    token,
    channelId: _,
    toldAt: __,
    channelKind: kind,
    offWord,
    onWord,
    ...rest
  } = row;
  const { channel: name, channelLabel: label, message, value } = row;
  const facts = alarm && toFacts(alarm, language);
  const channel = name !== null && kind ? { name, label, kind, offWord, onWord } : null;
  const isAlarm = canBeAcknowledged(row.subject);
  return {
    ...rest,
    facts,
    notificationId: id,
    isOneOfSeveral: false,
    mark: row.mark === 'hand_over' ? null : row.mark,
    said:
      (facts && withNote(row, sayAlarm(facts, language), language)) ??
      sayToPeople(message, channel, value, language),
    words: channel && findStateWords(channel, language),
    // A test of a group alone is about no service; no real one has this number.
    serviceId: serviceId ?? (0 as ServiceId),
    serviceName: serviceName ?? row.groupName,
    at: happenedAt,
    acknowledgedBy: row.subject === 'acknowledgement' ? authorName : null,
    serviceUrl: serviceId === null ? `${base}/` : `${base}/services/${serviceId}`,
    alarmsUrl: `${base}/`,
    acknowledgeUrl: isAlarm && token !== null ? `${base}/acknowledge/${token}` : null,
    guidance: guidance && valuesOf(guidance),
    rescue: rescue ? sayRescue(rescue, language) : [],
    curve,
  };
}

/** What is said before how it stands: that it is unsteady, or who hands it over. */
function withNote(
  { mark, message }: Pick<NoticeRow, 'mark' | 'message'>,
  said: string | null,
  language: Language,
): string | null {
  if (said === null) return null;
  const note =
    mark === 'hand_over'
      ? (sayNote(message, language) ?? message)
      : (splitUnsteady(message, language)?.note ?? null);
  return note === null ? said : `${note} ${said}`;
}

const selectNotices = (db: Database, notificationIds: readonly string[]) =>
  db.query<NoticeRow>(sql`
    select notification.id, subject, mark, is_repeat as "isRepeat", organization.name as "organizationName",
      coalesce(notification_group.name, '') as "groupName", notification.service_id as "serviceId",
      service.name as "serviceName", location.name as "locationName", notification.episode_id as "episodeId",
      notification.severity, message, notification.channel, channel.id as "channelId", channel.label as "channelLabel",
      channel.kind as "channelKind", off_word as "offWord", on_word as "onWord", channel.unit, value, limit_value as "limit", since, happened_at as "happenedAt",
      coalesce(decided_at, notification.created_at) as "toldAt", author_name as "authorName", comment, token
    from notification
    join organization on organization.id = notification.organization_id
    left join notification_group on notification_group.id = notification.group_id
    left join service on service.id = notification.service_id
    ${WITH_PLACE}
    left join channel on channel.service_id = notification.service_id and channel.name = notification.channel
    left join acknowledge_link link
      on link.service_id = notification.service_id and link.episode_id = notification.episode_id
    where notification.id = any(${notificationIds}::bigint[])`);
