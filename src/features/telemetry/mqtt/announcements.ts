// What devices of a source have announced, kept for all programs: a message comes to any of them, and a bridge announces once.
// Each announcement is read once: when it comes, or when another program is found to have heard it.

import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { groupBy } from '../../../domain/group-by.ts';
import { message } from '../../../domain/language/message.ts';
import { MOSTS, sayMost } from '../../../domain/mosts.ts';
import { fault, type Refused, said } from '../../../domain/readings/refused.ts';
import { isStorable } from '../../../domain/storable-text.ts';
import {
  type Announced,
  LONGEST_ANNOUNCEMENT,
  readDiscovery,
} from '../../../domain/ways-in/home-assistant.ts';
import {
  deleteAnnouncement,
  selectAnnouncementDigests,
  selectAnnouncements,
  writeAnnouncement,
} from '../../../engine/sources/announcement-rows.ts';
import type { Database } from '../../../platform/db/database.ts';
import { keepRecent } from '../../../platform/keep-recent.ts';
import { holdBriefly, SetAside } from '../../../platform/process/in-hand.ts';

export const MOST_ANNOUNCED_BYTES = 4 * 1024 * 1024;
/** Under one topic, by however many announcements. */
const MOST_UNDER_TOPIC = 500;
/** Of all sources together, that are remembered at once. */
const MOST_REMEMBERED = 100_000;
const READ_AT_ONCE = 20;
/** Another program may have heard of it. */
const LOOK_AGAIN_MS = 10_000;

export interface Announcements {
  /** Stored when it resolves. Answers with what was not understood. */
  note(sourceId: number, topic: string, text: string): Promise<readonly Refused[] | 'unknown_source'>;
  /** What comes under the topic; nothing: nobody has said. */
  find(sourceId: number, topic: string): Promise<readonly Announced[]>;
}

export function keepAnnouncements(db: Database): Announcements {
  const sources = keepRecent<Known>(MOST_REMEMBERED);
  const looking = new Map<number, Promise<Known>>();

  async function lookAgain(sourceId: number): Promise<Known> {
    const known = sources.get(String(sourceId)) ?? openKnown(sourceId);
    known.noted.clear();
    const rows = await selectAnnouncementDigests(db, sourceId);
    const stored = new Map(rows.map(({ topic, digest }) => [topic, digest]));
    for (const topic of known.topics())
      if (!stored.has(topic) && !known.noted.has(topic)) known.forget(topic);
    const changed = rows.filter(({ topic, digest }) => known.digestOf(topic) !== digest);
    for (let from = 0; from < changed.length; from += READ_AT_ONCE) {
      const topics = changed.slice(from, from + READ_AT_ONCE).map(({ topic }) => topic);
      for (const { topic, body } of await selectAnnouncements(db, sourceId, topics)) {
        if (!known.noted.has(topic)) known.put(topic, body);
        await nextTurn();
      }
    }
    known.lookedAt = performance.now();
    sources.put(String(sourceId), known, 1 + rows.length);
    return known;
  }
  /** Those who ask at the same time wait for the same. */
  function look(sourceId: number): Promise<Known> {
    const underWay = looking.get(sourceId) ?? lookAgain(sourceId).finally(() => looking.delete(sourceId));
    looking.set(sourceId, underWay);
    return underWay;
  }

  return {
    async note(sourceId, topic, text) {
      if (text.length > LONGEST_ANNOUNCEMENT || !isStorable(text) || !isStorable(topic))
        return [
          fault(message('an announcement may take at most {most} kB of text'), {
            most: LONGEST_ANNOUNCEMENT / 1024,
          }),
        ];
      const known = sources.get(String(sourceId)) ?? (await look(sourceId));
      const excess = known.findExcess(topic, text);
      if (excess !== null) return [excess];
      if (known.holds(topic, text)) return known.faultsOf(topic);
      known.noted.add(topic);
      if (text === '') {
        await deleteAnnouncement(db, sourceId, topic);
        known.forget(topic);
        return [];
      }
      known.put(topic, text);
      let isStored = false;
      try {
        isStored = await writeAnnouncement(db, sourceId, { topic, body: text });
      } finally {
        if (!isStored) known.forget(topic);
      }
      return isStored ? known.faultsOf(topic) : 'unknown_source';
    },
    async find(sourceId, topic) {
      let known = sources.get(String(sourceId)) ?? (await look(sourceId));
      if (!known.has(topic) && performance.now() - known.lookedAt > LOOK_AGAIN_MS)
        known = await look(sourceId);
      return known.find(topic);
    },
  };
}

interface Kept {
  digest: string;
  bytes: number;
  announced: ReadonlyMap<string, Announced[]>;
  faults: readonly Refused[];
}

type Known = ReturnType<typeof openKnown>;

/** What one source has announced. */
function openKnown(sourceId: number) {
  const kept = new Map<string, Kept>();
  /** By the topic of values, by that of the announcement. */
  const byTopic = new Map<string, Map<string, Announced[]>>();
  let bytes = 0;

  function forget(topic: string): void {
    const before = kept.get(topic);
    if (!before) return;
    kept.delete(topic);
    bytes -= before.bytes;
    for (const valueTopic of before.announced.keys()) {
      const under = byTopic.get(valueTopic);
      under?.delete(topic);
      if (under?.size === 0) byTopic.delete(valueTopic);
    }
  }

  return {
    /** Topics that were heard since it was begun to look what is stored: what is heard is newer. */
    noted: new Set<string>(),
    lookedAt: Number.NEGATIVE_INFINITY,
    topics: () => [...kept.keys()],
    digestOf: (topic: string) => kept.get(topic)?.digest,
    holds: (topic: string, text: string) => kept.get(topic)?.digest === digest(text),
    faultsOf: (topic: string) => kept.get(topic)?.faults ?? [],
    has: (valueTopic: string) => byTopic.has(valueTopic),
    forget,
    put(topic: string, text: string): void {
      forget(topic);
      const name = digest(text);
      const { announced, faults } = readHeld(
        `announcement of source ${sourceId} ${name.slice(0, 16)}`,
        topic,
        text,
      );
      const grouped = groupBy(announced, (one) => one.topic);
      const size = Buffer.byteLength(text);
      kept.set(topic, { digest: name, bytes: size, announced: grouped, faults });
      bytes += size;
      for (const [valueTopic, own] of grouped) {
        const under = byTopic.get(valueTopic) ?? new Map<string, Announced[]>();
        byTopic.set(valueTopic, under.set(topic, own));
      }
    },
    find(valueTopic: string): Announced[] {
      const found: Announced[] = [];
      for (const own of byTopic.get(valueTopic)?.values() ?? []) {
        found.push(...own);
        if (found.length >= MOST_UNDER_TOPIC) break;
      }
      return found.slice(0, MOST_UNDER_TOPIC);
    },
    /** Why it would be too much; null: it is not. */
    findExcess(topic: string, text: string): Refused | null {
      if (text === '') return null;
      const before = kept.get(topic);
      if (!before && kept.size >= MOSTS.announcements.most) return said(sayMost('announcements'));
      if (bytes - (before?.bytes ?? 0) + Buffer.byteLength(text) > MOST_ANNOUNCED_BYTES)
        return fault(message('announcements of a source may take at most {most} MB: take some back'), {
          most: MOST_ANNOUNCED_BYTES / 1024 / 1024,
        });
      return null;
    },
  };
}

/** A bridge announces it again, and what is stored is read again. */
function readHeld(
  item: string,
  topic: string,
  text: string,
): Pick<ReturnType<typeof readDiscovery>, 'announced' | 'faults'> {
  try {
    return holdBriefly(item, () => readDiscovery(topic, text));
  } catch (error) {
    if (error instanceof SetAside) return { announced: [], faults: [said(error.message)] };
    throw error;
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
