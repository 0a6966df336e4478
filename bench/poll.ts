// How often the alarms list is answered when scripts ask for it without a pause, and what it costs.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setInterval } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { projectRoot } from '../src/platform/project-root.ts';
import { ALARMS } from './alarms-list.ts';
import { cpuOfDatabase, cpuOfProgram } from './cpu.ts';
import { setAlarms } from './lab.ts';
import type { Stage } from './stage.ts';

export interface PollOrder {
  url: string;
  headers: Record<string, string>;
  connections: number;
  seconds: number;
  /** Of all answers. */
  status: string;
}

export interface PollResult {
  requests: number;
  seconds: number;
  /** Milliseconds from request to answer. */
  p95: number;
}

const WARM_UP_SECONDS = 3;

/** Lists of 200 and of 2,000: whole, as 304, and while alarms change every second. */
export async function measurePolling(stage: Stage): Promise<void> {
  const { db, reader, now } = stage;
  const url = reader.url + ALARMS;
  const authorization = `Bearer ${reader.token}`;
  for (const count of [200, 2_000]) {
    await setAlarms(db, count, now);
    const tag = (await fetch(url, { headers: { authorization } })).headers.get('etag') ?? '';
    const whole = { url, headers: { authorization }, status: '200' };
    const unchanged = { url, headers: { authorization, 'if-none-match': tag }, status: '304' };
    for (const connections of [8, 32]) {
      await measure(stage, `${count} alarms, ${connections} connections`, { ...whole, connections });
      await measure(stage, `${count} alarms, ${connections} connections, 304`, { ...unchanged, connections });
    }
    const stop = changeEverySecond(stage);
    await measure(stage, `${count} alarms, 32 connections, ten change every second`, {
      ...whole,
      connections: 32,
    });
    stop();
  }
  await setAlarms(db, 0, now);
}

async function measure({ bench, tocsin }: Stage, what: string, order: Omit<PollOrder, 'seconds'>) {
  await poll({ ...order, seconds: WARM_UP_SECONDS });
  const before = [cpuOfProgram(tocsin.pid), cpuOfDatabase(tocsin.databasePid)] as const;
  const { requests, seconds, p95 } = await poll({ ...order, seconds: bench.seconds / 3 });
  const ofEach = (cpuSeconds: number) => ((1000 * cpuSeconds) / requests).toFixed(2);
  const row = {
    what: `the alarms list, ${what}`,
    'requests/s': Math.round(requests / seconds),
    'p95 ms': p95.toFixed(1),
    'program CPU ms': ofEach(cpuOfProgram(tocsin.pid) - before[0]),
    'database CPU ms': ofEach(cpuOfDatabase(tocsin.databasePid) - before[1]),
  };
  bench.polls.push(row);
  process.stderr.write(`${row.what}: ${row['requests/s']} requests/s\n`);
}

async function poll(order: PollOrder): Promise<PollResult> {
  const child = fork(join(projectRoot, 'build/bench/poller.js'));
  child.send(order);
  const [result] = (await once(child, 'message')) as [PollResult];
  child.disconnect();
  return result;
}

function changeEverySecond({ db }: Stage): () => void {
  const stopping = new AbortController();
  const change = async () => {
    for await (const _ of setInterval(1000, null, { signal: stopping.signal }))
      await db.query(sql`
        update alarm_state set value = coalesce(value, 0) + 1 where service_id in (
          select service_id from alarm_state where severity <> 'normal' order by service_id limit 10)`);
  };
  change().catch(() => {});
  return () => stopping.abort();
}
