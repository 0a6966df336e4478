import { organizationIdsOf, organizationNameIn } from '../../../domain/accounts/requester.ts';
import { findMainChannel } from '../../../domain/equipment/main-channel.ts';
import { sayTelling } from '../../../domain/equipment/telling.ts';
import { groupBy } from '../../../domain/group-by.ts';
import type { Readings } from '../../../domain/readings/pack.ts';
import { DAY_MS, HOUR_MS, type Span } from '../../../domain/readings/span.ts';
import { type Step, stepReadings } from '../../../domain/readings/step-readings.ts';
import { listPlace } from '../../../domain/words/place.ts';
import { selectListColumns } from '../../../engine/accounts/list-columns.ts';
import { findWantedLocations } from '../../../engine/equipment/branches.ts';
import { type ListedChannel, selectChannelsOf } from '../../../engine/equipment/channels.ts';
import { type Newest, withNewest } from '../../../engine/journal/read-newest.ts';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import { readStored, type StoredChannel } from '../../../engine/readings/read-stored.ts';
import { selectTellings } from '../../../engine/services/tellings.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';
import { retryHelps } from '../../../platform/db/passing-fault.ts';
import { type ShownTime, showTime } from '../../../platform/html/time.tsx';
import { type LatestValue, readLatest } from '../shown-service/latest-values.ts';
import { type ServiceState, toState } from '../shown-service/service-state.ts';
import { type Curve, drawCurve } from './curve.ts';
import { type ListColumn, readColumns } from './list-columns.ts';
import {
  countServices,
  type Listed,
  type ListedService,
  selectLocations,
  selectServices,
} from './list-queries.ts';
import type { ServiceFilter } from './service-filter.ts';

export interface ServiceRowModel {
  id: number;
  name: string;
  /** Where and what it is, as far as somebody said so. */
  place: string[];
  state: ServiceState;
  /** Whom it tells; null: somebody, about everything. */
  telling: { tells: 'nobody' | 'nothing' | 'some'; text: string } | null;
  /** Of those it notifies; null: none is chosen. */
  groupName: string | null;
  values: LatestValue[];
  /** Of its main channel. */
  curve: (Curve & { label: string }) | null;
  lastTelemetry: ShownTime | null;
}

export interface ServiceListModel {
  rows: ServiceRowModel[];
  /** Which of how many are shown, from 1. */
  shown: { from: number; to: number; of: number };
  columns: ListColumn[];
  organizations: Awaited<ReturnType<typeof selectLocations>>;
}

export const PAGE_SIZE = 50;

/** Within what the visitor may see. */
export async function listFor(db: ReadDatabase, visitor: Visitor, filter: ServiceFilter): Promise<Listed> {
  const organizationIds = organizationIdsOf(visitor).filter((id) =>
    [null, id].includes(filter.organizationId),
  );
  const locationIds = await findWantedLocations(db, organizationIds, filter);
  return { organizationIds, filter, locationIds, now: visitor.now };
}

/** A fixed number of statements, whatever is shown. */
export async function listServices(
  db: ReadDatabase,
  visitor: Visitor,
  filter: ServiceFilter,
): Promise<ServiceListModel> {
  const { now } = visitor;
  const listed = await listFor(db, visitor, filter);
  const of = await countServices(db, listed);
  const skip = (filter.page - 1) * PAGE_SIZE;
  const services = await withNewest(db, await selectServices(db, listed, { skip, most: PAGE_SIZE }));
  const ids = services.map(({ id }) => id);
  const channels = groupBy(await selectChannelsOf(db, ids), ({ serviceId }) => serviceId);
  const tellings = new Map(
    (await selectTellings(db, ids)).map((telling) => [
      telling.serviceId,
      { ...sayTelling(telling, visitor.language), groupName: telling.groupName },
    ]),
  );
  const main = services.flatMap(({ id }) => findMainChannel(channels.get(id) ?? [], () => false) ?? []);
  const day = { from: now.getTime() - DAY_MS, to: now.getTime() };
  const byChannel = await readCurves(
    db,
    main.map(({ id, serviceId }) => ({ serviceId, channelId: id })),
    day,
  );
  const mainOf = new Map(main.map((channel) => [channel.serviceId, channel]));

  return {
    rows: services.map((service) => {
      const channel = mainOf.get(service.id) ?? null;
      const readings = channel && byChannel.get(channel.id);
      const curve = readings ? drawRow(service, channel, stepReadings(readings, HOUR_MS), day) : null;
      const told = tellings.get(service.id);
      const telling = told && told.tells !== 'everything' ? { text: told.text, tells: told.tells } : null;
      return {
        ...toRow(service, channels.get(service.id) ?? [], curve, visitor),
        telling,
        groupName: told?.groupName ?? null,
      };
    }),
    shown: { from: Math.min(skip + 1, of), to: skip + services.length, of },
    columns: readColumns(await selectListColumns(db, visitor.accountId)),
    organizations: await selectLocations(db, organizationIdsOf(visitor)),
  };
}

/** They decorate the list: where the machine with the readings is away, it is shown without them. */
const readCurves = async (db: ReadDatabase, channels: StoredChannel[], span: Span) =>
  (
    await readStored(db, channels, span).catch((error) => {
      if (!retryHelps(error)) throw error;
      return { byChannel: new Map<number, Readings>() };
    })
  ).byChannel;

function toRow(
  service: ListedService & Newest,
  channels: ListedChannel[],
  curve: ServiceRowModel['curve'],
  visitor: Visitor,
): Omit<ServiceRowModel, 'telling' | 'groupName'> {
  const { id, name, organizationId, assetName, locationName, channelAt } = service;
  const organizationName = organizationNameIn(visitor, organizationId);
  const lastAt = channelAt.length > 0 ? new Date(Math.max(...channelAt)) : null;
  return {
    id,
    name,
    place: [
      ...listPlace({ organizationName, locationName }),
      ...(assetName === null || assetName === name ? [] : [assetName]),
    ],
    state: toState(service),
    values: readLatest(service, channels, visitor),
    curve,
    lastTelemetry: lastAt && showTime(lastAt, visitor),
  };
}

/** A step stands at its beginning: the newest reading brings the curve up to now. */
function drawRow(
  { channelIds, channelAt, channelValues }: Newest,
  channel: ListedChannel,
  hours: readonly Step[],
  day: Span,
): ServiceRowModel['curve'] {
  const index = channelIds.indexOf(channel.id);
  const [at, value] = [channelAt[index], channelValues[index]];
  const latest =
    at !== undefined && value !== undefined && at >= day.from
      ? [{ at, min: value, max: value, mean: value }]
      : [];
  const points = [...hours.filter((hour) => at === undefined || hour.at < at), ...latest];
  const curve = drawCurve(points, day);
  return curve && { ...curve, label: channel.label ?? channel.name };
}
