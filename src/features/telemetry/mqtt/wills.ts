// What clients of the listener leave behind when they go without a word. A will may wait for its client to come back; how
// many wait, and how much they hold, has a most: beyond it those that have waited longest are taken at once.

import { setTimeout as pause } from 'node:timers/promises';
import { message } from '../../../domain/language/message.ts';
import { MOSTS, sayNumber } from '../../../domain/mosts.ts';
import { fault } from '../../../domain/readings/refused.ts';
import type { SourceLedger } from '../../../engine/sources/source-ledger.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Greeted } from './greet.ts';
import type { TakeMessage } from './take-message.ts';

/** Of all organizations. */
const MOST_WILLS = 10_000;
const LONGEST_DELAY_SECONDS = 3_600;
const TRIES = 5;
const PAUSE_MS = 2_000;

interface WillDeps {
  takeMessage: TakeMessage;
  ledger: SourceLedger;
  clock: Clock;
  log: Log;
}

export interface Wills {
  /** It went without a word, and is known by this name. */
  leave(greeted: Greeted, name: string): void;
  /** It is back. */
  withdraw(name: string): void;
  /** Resolves when all of them are taken. */
  close(): Promise<void>;
}

interface Waiting {
  clientId: string;
  sourceId: number;
  organizationId: number;
  /** It waits no longer. */
  end: AbortController;
  isWithdrawn: boolean;
}

export function openWills({ takeMessage, ledger, clock, log }: WillDeps): Wills {
  /** By the name of their client. */
  const wills = new Map<string, Waiting>();
  /** Those that wait for their client to come back. */
  const lines = openLines();
  const underWay = new Set<Promise<void>>();
  const closing = new AbortController();

  const withdraw = (name: string): void => {
    const will = wills.get(name);
    if (!will) return;
    will.isWithdrawn = true;
    will.end.abort();
  };

  function makeRoom(own: Waiting, { sender }: Greeted): void {
    const found = lines.findSurplus(own);
    if (!found) return;
    lines.leave(found.oldest);
    found.oldest.end.abort();
    const why = fault(
      message('{most} last wills wait for their clients: the oldest was taken before its time'),
      { most: sayNumber(found.most) },
    );
    ledger.refused(sender.source, { why, sample: () => Buffer.from(found.oldest.clientId) }, clock());
  }

  async function execute({ sender, will }: Greeted, own: Waiting): Promise<void> {
    if (!will) return;
    if (will.delaySeconds > 0) {
      const delayMs = 1_000 * Math.min(will.delaySeconds, LONGEST_DELAY_SECONDS);
      const signal = AbortSignal.any([closing.signal, own.end.signal]);
      lines.join(own);
      await pause(delayMs, undefined, { signal }).catch(() => {});
      lines.leave(own);
    }
    for (let attempt = 1; attempt <= TRIES && !own.isWithdrawn; attempt += 1) {
      try {
        await takeMessage(sender, will);
        return;
      } catch (error) {
        log.error({ err: error }, 'the will of an MQTT client could not be stored');
        if (closing.signal.aborted) return;
        await pause(PAUSE_MS, undefined, { signal: closing.signal }).catch(() => {});
      }
    }
  }

  return {
    withdraw,
    leave(greeted, name) {
      if (!greeted.will) return;
      withdraw(name);
      const { sourceId, organizationId } = greeted.sender.source;
      const own: Waiting = {
        clientId: greeted.sender.clientId,
        sourceId,
        organizationId,
        end: new AbortController(),
        isWithdrawn: false,
      };
      if (greeted.will.delaySeconds > 0) makeRoom(own, greeted);
      wills.set(name, own);
      const executing = execute(greeted, own).finally(() => {
        underWay.delete(executing);
        if (wills.get(name) === own) wills.delete(name);
      });
      underWay.add(executing);
    },
    async close() {
      closing.abort();
      await Promise.all(underWay);
    },
  };
}

/** Who waits, the oldest first: in all, of an organization, of a source. */
function openLines() {
  const all = new Set<Waiting>();
  const organizations = new Map<number, Set<Waiting>>();
  const sources = new Map<number, Set<Waiting>>();
  const put = (lines: Map<number, Set<Waiting>>, id: number, one: Waiting) =>
    lines.set(id, (lines.get(id) ?? new Set()).add(one));
  const take = (lines: Map<number, Set<Waiting>>, id: number, one: Waiting) => {
    const line = lines.get(id);
    line?.delete(one);
    if (line?.size === 0) lines.delete(id);
  };
  return {
    join(one: Waiting): void {
      all.add(one);
      put(organizations, one.organizationId, one);
      put(sources, one.sourceId, one);
    },
    leave(one: Waiting): void {
      all.delete(one);
      take(organizations, one.organizationId, one);
      take(sources, one.sourceId, one);
    },
    /** Whoever has waited longest where one more would be too many; null: there is room. */
    findSurplus({ sourceId, organizationId }: Waiting): { most: number; oldest: Waiting } | null {
      const lines = [
        [sources.get(sourceId), MOSTS.wills.most],
        [organizations.get(organizationId), MOSTS.willsInAll.most],
        [all, MOST_WILLS],
      ] as const;
      for (const [line, most] of lines) {
        const [oldest] = line ?? [];
        if (oldest && line && line.size >= most) return { most, oldest };
      }
      return null;
    },
  };
}
