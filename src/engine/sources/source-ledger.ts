// What comes of what sources send, for the people who look after them: when each was heard, what was refused and why, which
// devices say times that nobody can believe. Gathered here and written every second at most, apart from the readings; after a
// quiet second at once, for somebody may be looking on.

import type { OrganizationId } from '../../domain/ids.ts';
import { english } from '../../domain/language/english.ts';
import { MOSTS } from '../../domain/mosts.ts';
import { type Refused, said, sayRefused } from '../../domain/readings/refused.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import { noteSuspectClocks } from '../equipment/devices.ts';
import { writeRefusals, writeSeen } from './ledger-rows.ts';

const MOST_REFUSALS = MOSTS.refusals.most;
const SAMPLE_BYTES = 500;
const LAST_BODY_BYTES = 64 * 1024;
const LONGEST_REASON = 300;
const WRITE_EVERY_MS = 1_000;
/** What comes of one post is noted together. */
const GATHER_MS = 20;

interface Heard {
  sourceId: number;
  organizationId: OrganizationId;
}

interface RefusedReading {
  why: Refused;
  /** What was refused; its beginning is kept. */
  sample: () => Buffer;
}

export interface SourceLedger {
  seen(source: Heard, now: Date): void;
  refused(source: Heard, refused: RefusedReading, now: Date): void;
  /** So that a mapping can be written beside it. */
  body(source: Heard, body: Buffer, topic: string | null): void;
  suspect(source: Heard, devices: Iterable<string>, now: Date): void;
  /** Writes what is still to be written. */
  close(): Promise<void>;
}

interface Page {
  seenAt: Date;
  body: Buffer | null;
  topic: string | null;
  refusals: Map<string, { why: Refused; count: number; lastAt: Date; sample: Buffer }>;
}

export function openSourceLedger(db: Database, log: Log): SourceLedger {
  let pages = new Map<number, Page>();
  let suspects = new Map<string, { organizationId: OrganizationId; key: string; at: Date }>();
  let timer: NodeJS.Timeout | null = null;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();

  const pageOf = ({ sourceId }: Heard, now: Date): Page => {
    const page = pages.get(sourceId) ?? { seenAt: now, body: null, topic: null, refusals: new Map() };
    pages.set(sourceId, page);
    if (timer === null) {
      timer = setTimeout(write, Math.max(GATHER_MS, writtenAt + WRITE_EVERY_MS - performance.now()));
      timer.unref();
    }
    return page;
  };

  /** These are notes: if they cannot be written, readings are none the worse. */
  function write(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    writtenAt = performance.now();
    const [written, doubted] = [pages, [...suspects.values()]];
    pages = new Map();
    suspects = new Map();
    if (written.size === 0) return writing;
    writing = writing
      .then(() =>
        db.transaction(async (tx) => {
          const rows = [...written].map(([sourceId, page]) => ({ sourceId, ...page }));
          const known = await writeSeen(tx, rows);
          const refusals = rows
            .filter(({ sourceId }) => known.has(sourceId))
            .flatMap(({ sourceId, refusals }) =>
              [...refusals].map(([reason, refusal]) => ({ sourceId, reason, ...refusal })),
            );
          if (refusals.length > 0) await writeRefusals(tx, refusals, MOST_REFUSALS);
          if (doubted.length > 0) await noteSuspectClocks(tx, doubted);
        }),
      )
      .catch((error) => log.warn({ err: error }, 'what came of sources could not be noted'));
    return writing;
  }

  return {
    seen(source, now) {
      pageOf(source, now).seenAt = now;
    },
    refused(source, { why, sample }, now) {
      const { refusals } = pageOf(source, now);
      const name = shorten(sayRefused(why, english));
      const known = refusals.get(name);
      if (known) {
        known.count += 1;
        known.lastAt = now;
        return;
      }
      if (refusals.size >= MOST_REFUSALS) return;
      // A copy: the body that it is cut out of may be large.
      refusals.set(name, {
        why: bound(why, name),
        count: 1,
        lastAt: now,
        sample: Buffer.from(sample().subarray(0, SAMPLE_BYTES)),
      });
    },
    body(source, body, topic) {
      const page = pages.get(source.sourceId);
      if (!page) return;
      page.body = Buffer.from(body.subarray(0, LAST_BODY_BYTES));
      page.topic = topic;
    },
    suspect(source, devices, now) {
      for (const key of devices)
        suspects.set(`${source.organizationId} ${key.toLowerCase()}`, {
          organizationId: source.organizationId,
          key,
          at: now,
        });
    },
    close: () => write(),
  };
}

/** What is too long to be kept is kept as it is said. */
const bound = (why: Refused, name: string): Refused =>
  JSON.stringify(why).length > 2 * LONGEST_REASON ? said(name) : why;

const shorten = (reason: string): string =>
  reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON).toWellFormed()}…` : reason;
