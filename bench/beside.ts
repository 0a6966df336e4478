// Readings pour in while others change the lab.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../src/platform/project-root.ts';
import { comparePosts, type MeasuredSpeed, type Rival, ratioOf } from './compare.ts';
import { planPosts, SERVICES, TELEMETRY } from './ingest.ts';
import type { Stage } from './stage.ts';

/** A thousand in 15 seconds. */
const MS_BETWEEN_EDITS = 15;
const APPLIED_SERVICES = 3_000;
const LOAD = { connections: 8 };

/** The same load for the bare server, for us, and for us beside something, in turns. */
const compareBeside = (
  { bench, bare, tocsin }: Stage,
  what: string,
  rounds: number,
  beside: (seconds: number) => Promise<unknown>,
): Promise<[MeasuredSpeed, MeasuredSpeed, MeasuredSpeed]> => {
  const posts = planPosts(250);
  const alone = { program: tocsin, path: TELEMETRY, posts };
  const rivals: [Rival, Rival, Rival] = [
    { what: 'bare server', program: bare.program, path: '/write', posts },
    { what: 'tocsin alone', ...alone },
    { what: `tocsin beside ${what}`, ...alone, beside },
  ];
  return comparePosts(bench, 'posts of 250', { ...LOAD, rounds }, rivals);
};

export async function measureBesideEdits(stage: Stage): Promise<void> {
  const answers: boolean[] = [];
  const editFor = async (seconds: number) => {
    for (const endsAt = performance.now() + seconds * 1000; performance.now() < endsAt; ) {
      const [isSaved] = await Promise.all([editLimits(stage, answers.length), sleep(MS_BETWEEN_EDITS)]);
      answers.push(isSaved);
    }
  };
  const [bare, alone, beside] = await compareBeside(stage, 'edits', 5, editFor);
  Object.assign(stage.bench.figures, {
    edits: answers.length,
    edits_failed: answers.filter((isSaved) => !isSaved).length,
    ingest_beside_edits_of_alone: ratioOf(beside, alone),
    ingest_beside_edits_of_bare: ratioOf(beside, bare),
  });
}

async function editLimits({ reader: { url, token } }: Stage, count: number): Promise<boolean> {
  // A prime, to meet services all over the lab.
  const id = 1 + ((count * 7919) % SERVICES);
  const answer = await fetch(`${url}/api/v1/services/${id}/edit`, {
    method: 'POST',
    redirect: 'manual',
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams({
      metric_channel: 'temperature',
      ch_high: String(-60 + (count % 10) / 10),
      wh_high: '-65',
      cl_low: '',
      wl_low: '',
      stale_after_minutes: '1440',
    }),
  });
  return answer.headers.get('location') === `/services/${id}`;
}

export async function measureBesideApply(stage: Stage): Promise<void> {
  const seconds: number[] = [];
  const apply = async () => {
    const startedAt = performance.now();
    await applyLab(stage.cluster.env, seconds.length);
    seconds.push((performance.now() - startedAt) / 1000);
  };
  const [, alone, beside] = await compareBeside(stage, `an apply of ${APPLIED_SERVICES} services`, 3, apply);
  Object.assign(stage.bench.figures, {
    apply_seconds: seconds.map((took) => Number(took.toFixed(1))).join(' '),
    ingest_beside_apply_of_alone: ratioOf(beside, alone),
    longest_ms_beside_apply: beside.longestMs,
  });
}

/** Another organization's; limits that differ from turn to turn, so that each changes all services. */
async function applyLab(env: Record<string, string>, turn: number): Promise<void> {
  const services = Array.from({ length: APPLIED_SERVICES }, (_, index) => ({
    name: `Incubator ${index}`,
    device: { key: `incubator-${index}` },
    limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: 40 + turn } } }],
  }));
  const child = spawn(process.execPath, [join(projectRoot, 'bin/tocsin.js'), 'apply', '-'], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(JSON.stringify({ organizations: [{ name: 'Cell culture', services }] }));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`apply ended with ${code}`);
}
