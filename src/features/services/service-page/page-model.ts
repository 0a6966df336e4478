import type { ComponentChildren } from 'preact';
import { organizationNameIn } from '../../../domain/accounts/requester.ts';
import { canAdminister, canOperate } from '../../../domain/accounts/role.ts';
import { findMainChannel } from '../../../domain/equipment/main-channel.ts';
import { type SaidTelling, sayTelling } from '../../../domain/equipment/telling.ts';
import type { FoundGuidance } from '../../../domain/guidance/guidance.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import { formatLocalInput } from '../../../domain/local-time.ts';
import { DAY_MS } from '../../../domain/readings/span.ts';
import { explainService } from '../../../engine/alarm-state/explain.ts';
import { readAlarmFacts } from '../../../engine/alarm-state/read-alarm-facts.ts';
import { readGuidanceOf } from '../../../engine/guidance/guidance-rows.ts';
import { type ShownFacts, showFacts } from '../../../engine/pages/alarm-facts.tsx';
import { showMuteControl } from '../../../engine/pages/mute-control.tsx';
import { readPageId } from '../../../engine/pages/page-routes.ts';
import { type RefugeNoteModel, readRefugeNote } from '../../../engine/pages/refuge-note.tsx';
import { type RescueLines, readRescueLines } from '../../../engine/pages/rescue-part.tsx';
import { readUntold, type UntoldModel } from '../../../engine/pages/untold.tsx';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import { selectTellings } from '../../../engine/services/tellings.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';
import { type Reader, type ShownText, type ShownTime, showTime } from '../../../platform/html/time.tsx';
import { readOver } from '../chart/chart-address.ts';
import { type ChartRange, readRange } from '../chart/chart-range.ts';
import { type ChartModel, readChart } from '../chart/read-chart.ts';
import { type EditModel, type RefusedEdit, readEditModel } from '../limits/edit-model.ts';
import { type LimitsModel, toLimits } from '../limits/limits-model.ts';
import { selectLimitsInForce } from '../limits/queries.ts';
import { readLimitsHistory } from '../limits/read-limits-history.ts';
import type { FoundService } from '../shown-service/find-service.ts';
import { type LatestValue, readLatest } from '../shown-service/latest-values.ts';
import type { ServicePageParts } from '../shown-service/page-parts.ts';
import {
  type AcknowledgementRecord,
  type DowntimeRecord,
  type MuteRecord,
  type ShownService,
  selectAcknowledgements,
  selectMutes,
  selectOpenDowntimes,
  selectPastDowntimes,
} from '../shown-service/queries.ts';
import { type ServiceState, toState } from '../shown-service/service-state.ts';
import { explainInWords } from '../why/why-words.ts';
import { type Tab, tabOf } from './tabs.tsx';

/** What changes while somebody looks at the page. */
export interface Standing {
  service: ShownService;
  /** null: the visitor belongs to no other. */
  organizationName: string | null;
  state: ServiceState;
  why: ShownText[];
  /** Whom it tells about what. */
  telling: SaidTelling | null;
  /** Nobody is told of its alarm. */
  untold: UntoldModel | null;
  /** null: there is no alarm, or it is about no value. */
  facts: ShownFacts | null;
  /** Of the alarm that holds. */
  episodeId: string | null;
  /** Where there are several. */
  devices: { key: string; heardAt: ShownTime | null; isSilent: boolean }[];
  can: { operate: boolean; administer: boolean; acknowledge: boolean; unacknowledge: boolean };
  values: LatestValue[];
  reader: Reader;
  /** What to do at it; null: nobody said so. */
  guidance: FoundGuidance | null;
  /** Where its contents can go; null: there is no alarm, or nothing is said of it. */
  rescue: RescueLines | null;
  /** What it takes in for others; null: nothing. */
  refuge: RefugeNoteModel | null;
  /** When a downtime begins or ends next; null: none is planned. */
  nextEdgeMs: number | null;
}

export interface ServicePageModel extends Standing {
  tab: Tab;
  chart: {
    chart: ChartModel;
    range: ChartRange;
    channels: { id: number; name: string; label: string }[];
    over: number[];
  } | null;
  acknowledgements: AcknowledgementRecord[];
  mutes: MuteRecord[];
  downtimes: { open: DowntimeRecord[]; past: DowntimeRecord[] };
  limits: LimitsModel;
  edit: EditModel | null;
  recommendation: ComponentChildren;
  /** null: the visitor cannot mute. */
  muting: ComponentChildren;
  told: ComponentChildren;
  /** Where its alarms of the last 30 days are listed. */
  historyPath: string;
  /** On the visitor's clock. */
  asOf: string;
}

interface PageReaders {
  db: ReadDatabase;
  historyDb: ReadDatabase;
  parts: ServicePageParts;
}

interface PageRequest {
  query: Record<string, string | undefined>;
  refusedEdit: RefusedEdit | null;
}

const MOST_RECORDS = 20;

/** A fixed number of statements, however long the history. */
export async function readServicePage(
  { db, historyDb, parts }: PageReaders,
  visitor: Visitor,
  found: FoundService,
  { query, refusedEdit }: PageRequest,
): Promise<ServicePageModel> {
  const { timezone, now } = visitor;
  const { service, role } = found;
  const { id } = service;
  const before = readPageId(query.limits_before);
  const tab = refusedEdit ? 'limits' : tabOf(query);
  const [standing, history, past, recommendation, told, muting] = await Promise.all([
    readStanding(db, visitor, found),
    // Whoever has just changed them finds the change; what came before it may be older.
    readLimitsHistory(before ? historyDb : db, id, before),
    selectPastDowntimes(db, id, now, MOST_RECORDS),
    parts.showRecommendation(db, visitor, id),
    parts.showTold(db, visitor, { id, role }),
    canOperate(role) ? showMuteControl(db, service, visitor) : null,
  ]);
  const { open, inForce, ...rest } = standing;
  return {
    ...rest,
    tab,
    chart: tab !== 'now' ? null : await readChosenChart(historyDb, found, query, visitor),
    downtimes: { open, past },
    limits: toLimits({ inForce, history, before }, service, visitor),
    edit: rest.can.administer
      ? await readEditModel(db, service, { query, refused: refusedEdit }, visitor.language)
      : null,
    recommendation,
    muting,
    told,
    historyPath: `/history?${new URLSearchParams({ service: String(id), from: formatLocalInput(new Date(now.getTime() - 30 * DAY_MS), timezone).slice(0, 10) })}`,
    asOf: formatLocalInput(now, timezone).slice(11),
  };
}

/** How the service stands, with the records that say why. */
export async function readStanding(db: ReadDatabase, visitor: Visitor, { service, role }: FoundService) {
  const { timezone, now, language } = visitor;
  const reader = { timezone, now, language };
  const { id } = service;
  const state = toState(service);
  const [
    explanation,
    acknowledgements,
    mutes,
    open,
    inForce,
    tellings,
    untold,
    facts,
    guidance,
    rescue,
    refuge,
  ] = await Promise.all([
    explainService(db, id, now),
    selectAcknowledgements(db, id, MOST_RECORDS),
    selectMutes(db, id, MOST_RECORDS),
    selectOpenDowntimes(db, id, now),
    selectLimitsInForce(db, id),
    selectTellings(db, [id]),
    readUntold(db, visitor, listAlarm(id, state)),
    readAlarmFacts(db, [id], language),
    readGuidanceOf(db, [id]),
    service.severity === 'normal'
      ? null
      : readRescueLines(
          db,
          { serviceId: id, organizationId: service.organizationId, canOperate: canOperate(role) },
          reader,
        ),
    readRefugeNote(db, id, reader),
  ]);
  const [telling] = tellings;
  const isOperator = canOperate(role);
  const explained = { service, acknowledgements, mutes, downtimes: open, limits: inForce, reader };
  const edges = open.map(({ startAt, endAt }) => (startAt > now ? startAt : endAt).getTime());
  return {
    service,
    organizationName: organizationNameIn(visitor, service.organizationId),
    state,
    telling: telling ? sayTelling(telling, visitor.language) : null,
    untold: untold.get(id) ?? null,
    facts: showFacts(facts.get(id), reader),
    episodeId: facts.get(id)?.episodeId ?? null,
    devices: (explanation?.devices ?? []).map(({ heardAt, ...device }) => ({
      ...device,
      heardAt: heardAt === null ? null : showTime(new Date(heardAt), reader),
    })),
    why: explanation ? explainInWords({ ...explained, explanation }) : [],
    can: {
      operate: isOperator,
      administer: canAdminister(role),
      acknowledge: isOperator && service.severity !== 'normal' && !service.isAcknowledged,
      unacknowledge: isOperator && acknowledgements.some(({ endedAt }) => endedAt === null),
    },
    values: readLatest(service, service.channels, reader),
    reader,
    guidance: guidance.get(id) ?? null,
    rescue,
    refuge,
    nextEdgeMs: edges.length === 0 ? null : Math.min(...edges) - now.getTime(),
    acknowledgements,
    mutes,
    open,
    inForce,
  };
}

const listAlarm = (serviceId: ServiceId, { severity }: ServiceState) =>
  severity === 'normal' || severity === 'unwatched' ? [] : [{ serviceId, severity }];

/** An address that asks for what is not there shows the last day of the main channel. */
async function readChosenChart(
  db: ReadDatabase,
  { service, role }: FoundService,
  query: Record<string, string | undefined>,
  visitor: Visitor,
): Promise<ServicePageModel['chart']> {
  const { timezone, now } = visitor;
  const { channels } = service;
  const chosen =
    channels.find(({ name }) => name === query.channel) ??
    findMainChannel(channels, () => false) ??
    channels[0];
  if (!chosen) return null;
  const given = { now, timeZone: timezone, unlessGiven: '24h' as const };
  const asked = readRange(query, given);
  const range = asked.ok ? asked : readRange({}, given);
  if (!range.ok) return null;
  const over = readOver(query.over, channels, chosen);
  return {
    chart: await readChart(db, service, { channel: chosen, over, ...range.value }, { ...visitor, role }),
    range: range.value,
    channels: channels.map(({ id, name, label }) => ({ id, name, label: label ?? name })),
    over: over.map(({ id }) => id),
  };
}
