// What devices of a source have announced, kept for all programs: a message comes to any of them, and a bridge announces once.

import { isStorable } from '../../../domain/storable-text.ts';
import { type Announced, readDiscovery } from '../../../domain/ways-in/home-assistant.ts';
import {
  deleteAnnouncement,
  selectAnnouncements,
  writeAnnouncement,
} from '../../../engine/sources/announcement-rows.ts';
import type { Database } from '../../../platform/db/database.ts';

const LONGEST = 64 * 1024;
const MOST_PER_SOURCE = 2_000;
const MOST_SOURCES = 1_000;
/** Another program may have heard of it. */
const LOOK_AGAIN_MS = 10_000;

interface Known {
  bodies: Map<string, string>;
  byTopic: Map<string, Announced[]>;
  readAt: number;
}

export interface Announcements {
  /** Stored when it resolves. Answers with what was not understood. */
  note(sourceId: number, topic: string, text: string): Promise<string[] | 'unknown_source'>;
  /** What comes under the topic; nothing: nobody has said. */
  find(sourceId: number, topic: string): Promise<readonly Announced[]>;
}

export function keepAnnouncements(db: Database): Announcements {
  const sources = new Map<number, Known>();

  async function load(sourceId: number): Promise<Known> {
    const rows = await selectAnnouncements(db, sourceId);
    const known = toKnown(new Map(rows.map(({ topic, body }) => [topic, body])));
    if (sources.size >= MOST_SOURCES) sources.clear();
    sources.set(sourceId, known);
    return known;
  }

  return {
    async note(sourceId, topic, text) {
      const { faults } = readDiscovery(topic, text);
      const known = sources.get(sourceId) ?? (await load(sourceId));
      if (known.bodies.get(topic) === text) return faults;
      if (text === '') {
        await deleteAnnouncement(db, sourceId, topic);
        known.bodies.delete(topic);
      } else {
        if (Buffer.byteLength(text) > LONGEST || !isStorable(text) || !isStorable(topic))
          return ['an announcement that cannot be kept'];
        if (known.bodies.size >= MOST_PER_SOURCE && !known.bodies.has(topic))
          return [`there are ${MOST_PER_SOURCE} announcements already`];
        if (!(await writeAnnouncement(db, sourceId, { topic, body: text }))) return 'unknown_source';
        known.bodies.set(topic, text);
      }
      sources.set(sourceId, toKnown(known.bodies));
      return faults;
    },
    async find(sourceId, topic) {
      let known = sources.get(sourceId) ?? (await load(sourceId));
      if (!known.byTopic.has(topic) && performance.now() - known.readAt > LOOK_AGAIN_MS)
        known = await load(sourceId);
      return known.byTopic.get(topic) ?? [];
    },
  };
}

function toKnown(bodies: Map<string, string>): Known {
  const byTopic = new Map<string, Announced[]>();
  for (const [topic, body] of bodies)
    for (const announced of readDiscovery(topic, body).announced)
      byTopic.set(announced.topic, [...(byTopic.get(announced.topic) ?? []), announced]);
  return { bodies, byTopic, readAt: performance.now() };
}
