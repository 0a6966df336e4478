// How long the alarms list takes, and how long until it shows a breach.
import { planPosts, TELEMETRY } from './ingest.ts';
import { PERSON, SECRET, setAlarms } from './lab.ts';
import { percentile } from './load.ts';
import type { Stage } from './stage.ts';

export const ALARMS = '/api/v1/alarms';

export interface Reader {
  url: string;
  token: string;
}

export async function openReader(url: string): Promise<Reader> {
  const body = new URLSearchParams({ username: PERSON.email, password: PERSON.password });
  const answer = await fetch(`${url}/api/v1/auth/token`, { method: 'POST', body });
  return { url, token: ((await answer.json()) as { access_token: string }).access_token };
}

async function listAlarms({ url, token }: Reader): Promise<{ service_id: number }[]> {
  const answer = await fetch(url + ALARMS, { headers: { authorization: `Bearer ${token}` } });
  return (await answer.json()) as { service_id: number }[];
}

/** 200 alarms among many services: the list should cost the same. */
export async function measureList({ bench, db, reader, now }: Stage, among: string): Promise<void> {
  await setAlarms(db, 200, now);
  const times: number[] = [];
  for (let count = 0; count < 220; count += 1) {
    const startedAt = performance.now();
    const alarms = await listAlarms(reader);
    if (alarms.length !== 200) throw new Error(`${alarms.length} alarms instead of 200`);
    if (count >= 20) times.push(performance.now() - startedAt);
  }
  times.sort((one, other) => one - other);
  bench.figures[`alarms_list_ms_at_${among}`] = Number(percentile(times, 0.5).toFixed(2));
  await setAlarms(db, 0, now);
}

export async function measureBreaches({ bench, db, reader, tocsin, now }: Stage): Promise<void> {
  await setAlarms(db, 0, now);
  bench.figures.breach_visible_idle_p95_ms = await measureBreach(reader, 200);
  const url = tocsin.url + TELEMETRY;
  const headers = { authorization: `Bearer ${SECRET}` };
  const order = {
    name: 'beside breaches',
    url,
    headers,
    connections: 4,
    pipelined: 1,
    posts: planPosts(250),
  };
  await bench.generator.drive(order, async () => {
    bench.figures.breach_visible_busy_p95_ms = await measureBreach(reader, 50);
  });
}

/** From handing in a breach until the list shows it. */
async function measureBreach(reader: Reader, times: number): Promise<number> {
  const waits: number[] = [];
  // Later than whatever is posted meanwhile, so that nothing ends the alarm.
  const beginsAt = Date.now() + 5 * 60_000;
  for (let count = 0; count < times; count += 1) {
    const device = 5_000 + count;
    const entry = { device: `d${device}`, time: beginsAt + count, values: { temperature: -40 } };
    const startedAt = performance.now();
    const sent = await fetch(reader.url + TELEMETRY, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
      body: JSON.stringify(entry),
    });
    if (!sent.ok) throw new Error(await sent.text());
    while (!(await listAlarms(reader)).some(({ service_id }) => service_id === device));
    waits.push(performance.now() - startedAt);
  }
  const sorted = waits.sort((one, other) => one - other);
  return Number(percentile(sorted, 0.95).toFixed(1));
}
