// What this program remembers of services and devices, so that a reading costs no look-up. It holds up to a position in the
// journal of each organization: whoever has the next turn hears what others entered since, and knows all there is.
import sql, { type Sql } from 'sql-template-tag';
import { isId, type OrganizationId, type ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Target } from '../../domain/readings/telemetry.ts';
import type { Tx } from '../../platform/db/database.ts';
import { handOn } from '../../platform/db/hand-on.ts';
import { bringUpToNow, readBatch, selectEntriesOf } from '../journal/bring-up-to-now.ts';
import type { NewsEntry } from '../journal/news.ts';
import type { Turn } from '../journal/take-turn.ts';
import { selectAlarmRows, watch } from './alarm-rows.ts';
import type { Numbered } from './assessment.ts';
import { askServiceConfigs, toServiceConfigs } from './service-config.ts';
import { createShelf, type FindService } from './service-shelf.ts';
import type { CalmChannel, WatchedService } from './watched-service.ts';

const MOST_REMEMBERED = 100_000;
/** Nothing of the organization is remembered, so no news is of interest. */
const NOTHING_YET = Number.MAX_SAFE_INTEGER;

export interface Catalogue {
  find: FindService;
  /** The last entry of the organization that this knows of. */
  knownUntil(organizationId: OrganizationId): number;
  /** Whether it looks as if nobody had had a turn since: neither in this program nor, the last time, in another. */
  isLikelyNext(organizationId: OrganizationId): boolean;
  /** What others entered before this turn; of entries up to `packedUntil` some may be missing. */
  hear(organizationId: OrganizationId, turn: Turn, news: readonly NewsEntry[], packedUntil: number): void;
  /**
   * Looks up what `find` does not know, in one round trip, for somebody who has the turn. Answers with what there is of it,
   * which is the requester's to keep: what is remembered may have to make room for others at any time.
   */
  learn(
    tx: Tx,
    targets: readonly { organizationId: OrganizationId; target: Target }[],
  ): Promise<WatchedService[]>;
  /** After the commit that made it so. */
  settle(organizationId: OrganizationId, turn: Turn, written: readonly Numbered[]): void;
}

export function createCatalogue(mostRemembered = MOST_REMEMBERED): Catalogue {
  const shelf = createShelf(mostRemembered);
  const known = new Map<OrganizationId, number>();
  const knownUntil = (organizationId: OrganizationId) => known.get(organizationId) ?? NOTHING_YET;
  /** Of any organization. */
  let lastTurn = 0;
  let wasNext = false;

  return {
    find: shelf.find,
    knownUntil,
    isLikelyNext: (organizationId) => wasNext && knownUntil(organizationId) === lastTurn,
    hear(organizationId, turn, news, packedUntil) {
      const before = knownUntil(organizationId);
      // A position that was there before: the database was set back, or another took over that had not heard all.
      if (packedUntil > before || turn.position <= before) shelf.forgetAll(organizationId);
      for (const { changed, data } of news) {
        for (const serviceId of changed) shelf.forget(serviceId);
        if (data) moveOnBy(shelf.get, data);
      }
      known.set(organizationId, turn.position - 1);
      wasNext = turn.position === lastTurn + 1;
      lastTurn = turn.position;
    },
    async learn(tx, targets) {
      const named = targets.flatMap(({ target }) =>
        'serviceId' in target && isId(target.serviceId) ? [target.serviceId as ServiceId] : [],
      );
      const keyed = targets.flatMap(({ organizationId, target }) =>
        'device' in target ? [{ organizationId, key: target.device.toLowerCase() }] : [],
      );
      if (named.length + keyed.length === 0) return [];
      const selectRows = selectAlarmRows(ASKED.ids);
      const {
        entries,
        rows: found,
        ...parts
      } = await tx.queryAll({
        asked: holdAsked(named, keyed),
        entries: selectEntriesOf(ASKED.ids),
        rows: selectRows,
        ...askServiceConfigs(ASKED.ids),
      });
      const rows = await bringUpToNow(tx, ASKED.ids, { entries, rows: found }, selectRows);
      const byService = new Map(rows.map((row) => [row.serviceId, row]));
      const learnt = toServiceConfigs(parts).flatMap((config) => {
        const row = byService.get(config.serviceId);
        return row ? [watch(config, row)] : [];
      });
      for (const watched of learnt) shelf.put(watched);
      return learnt;
    },
    settle(organizationId, turn, written) {
      // Somebody in this program has had a later turn, and heard of this one from the journal.
      if (knownUntil(organizationId) !== turn.position - 1) return;
      for (const write of written) {
        settleWrite(write);
        shelf.replace(write.watched);
      }
      known.set(organizationId, turn.position);
    },
  };
}

/** Readings that another program took. Those of services that were not quiet are told as changes. */
function moveOnBy(get: (serviceId: ServiceId) => WatchedService | undefined, data: Buffer): void {
  const batch = readBatch(data);
  if (!batch) return;
  const { serviceIds, channelIds, ats, values } = batch;
  for (let index = 0; index < ats.length; index += 1) {
    const watched = get(serviceIds[index] as ServiceId);
    const channel = watched?.config.channelsById.get(channelIds[index] as number);
    const state = channel && watched?.channels.get(channel.name);
    const at = ats[index] as number;
    if (!state || (state.at !== null && at <= state.at)) continue;
    state.at = at;
    state.value = values[index] as number;
  }
}

function settleWrite({ watched, moved, alarm, nextDueAt, aheadUntil }: Numbered): void {
  if ('calm' in moved) moveOn(moved.calm, moved.ats, moved.values);
  else watched.channels = moved.channels;
  if (alarm || 'channels' in moved) watched.calm = undefined;
  const { alarm: stored } = watched;
  stored.nextDueAt = nextDueAt ?? stored.nextDueAt;
  stored.aheadUntil = aheadUntil ?? stored.aheadUntil;
  if (!alarm) return;
  stored.severity = alarm.severity;
  stored.severitySince = alarm.severitySince;
  stored.channel = alarm.channel;
  stored.episodeId = alarm.episodeId;
  stored.staleSince = alarm.staleSince;
}

/** In place: a new object for every reading would grow old before it is dropped, and that is what collecting costs. */
function moveOn(
  calm: readonly CalmChannel[],
  ats: readonly (Instant | null)[],
  values: readonly (number | null)[],
): void {
  for (let index = 0; index < calm.length; index += 1) {
    const state = calm[index]?.state;
    if (!state) continue;
    state.at = ats[index] ?? null;
    state.value = values[index] ?? null;
  }
}

const ASKED = handOn('tocsin.asked_services', sql`int`);

const holdAsked = (
  named: readonly ServiceId[],
  keyed: readonly { organizationId: OrganizationId; key: string }[],
): Sql =>
  ASKED.keep(sql`
    select unnest(${named}::int[]) as id
    union select service_id
    from unnest(${keyed.map(({ organizationId }) => organizationId)}::int[], ${keyed.map(({ key }) => key)}::text[])
      as given (organization_id, key)
    join device on device.organization_id = given.organization_id and lower(device.key) = given.key
    where service_id is not null`);
