import { openEmbeddedCluster } from './cluster.ts';
import { cpuOfProgram } from './cpu.ts';
import { hirePerson, PERSON, prepareLab, setAlarms } from './lab.ts';
import { startTocsin, stopAll } from './start-tocsin.ts';

const LANGUAGES = ['en', 'de', 'fr', 'es'];
const PAGES = ['/', '/services', '/services/1', '/settings/groups', '/on-call', '/profile'];
const REQUESTS = Number(process.argv[2] ?? 200);
const ROUNDS = 4;
const STARTS = 5;

const now = new Date();
const cluster = await openEmbeddedCluster();
const db = await prepareLab(cluster, 1_000, now);
await hirePerson(db, now);
await setAlarms(db, 200, now);
const { url, child } = await startTocsin(cluster.env);
try {
  const cookie = await signIn();
  const spent = new Map<string, number>();
  // Each page in each language in turns, so that whatever else the machine does meets them alike; the first round warms up.
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const page of PAGES)
      for (const language of LANGUAGES) {
        const before = cpuOfProgram(child.pid ?? 0);
        for (let count = 0; count < REQUESTS; count += 1) await read(page, language, cookie);
        const key = `${page} ${language}`;
        if (round > 0) spent.set(key, (spent.get(key) ?? 0) + cpuOfProgram(child.pid ?? 0) - before);
      }
  const costOf = (page: string, language: string) =>
    Number((((spent.get(`${page} ${language}`) ?? 0) * 1000) / (ROUNDS * REQUESTS)).toFixed(2));
  const pages = PAGES.map((page) => [
    page,
    Object.fromEntries(LANGUAGES.map((one) => [one, costOf(page, one)])),
  ]);
  process.stdout.write(
    `${JSON.stringify({ cpu_ms_a_page: Object.fromEntries(pages), start_cpu_ms: await measureStarts() })}\n`,
  );
} finally {
  await stopAll([child]);
  await db.close();
  await cluster.stop();
}

async function signIn(): Promise<string> {
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: PERSON.email, password: PERSON.password }),
    headers: { origin: url, 'sec-fetch-site': 'same-origin' },
    redirect: 'manual',
  });
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

async function read(page: string, language: string, cookie: string): Promise<void> {
  const answer = await fetch(url + page, { headers: { cookie, 'accept-language': language } });
  if (answer.status !== 200) throw new Error(`${page} answered ${answer.status}`);
  await answer.text();
}

/** Processor time until a program listens, the middle of several. */
async function measureStarts(): Promise<number> {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const one = await startTocsin(cluster.env);
    times.push(cpuOfProgram(one.child.pid ?? 0) * 1000);
    await stopAll([one.child]);
  }
  return Math.round(times.sort((one, other) => one - other)[Math.floor(STARTS / 2)] ?? Number.NaN);
}
