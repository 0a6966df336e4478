// What it takes to look ahead: the page of a group of many people with a rota, whose week is foretold by the code that
// tells, and the gaps of eight weeks of many groups, which Monday's mail is made of.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import sql from 'sql-template-tag';
import { COMMAND_LINE } from '../src/domain/accounts/requester.ts';
import type { OrganizationId } from '../src/domain/ids.ts';
import { readGaps } from '../src/engine/reminders/gaps.ts';
import { applyLabFile } from '../src/features/lab-file/apply-lab-file.ts';
import type { Database } from '../src/platform/db/database.ts';
import { PERSON } from './lab.ts';
import { percentile } from './load.ts';
import type { Stage } from './stage.ts';

const PEOPLE = 50;
const GROUPS = 1_000;
const VISITS = 50;
const NIGHTS = 'Nights';
const LARGE = 'Team 7';

export async function measureForetelling({ bench, db, tocsin, now }: Stage): Promise<void> {
  await describePeople(db, now);
  bench.figures.group_page_p50_ms = await measurePage(db, tocsin.url);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const startedAt = performance.now();
  const groups = await readGaps(db, [1 as OrganizationId], now);
  bench.figures.gaps_of_groups_s = Number(((performance.now() - startedAt) / 1000).toFixed(1));
  delay.disable();
  bench.figures.gaps_longest_stretch_ms = Number((delay.max / 1e6).toFixed(1));
  if (groups.length !== GROUPS) throw new Error(`${groups.length} groups instead of ${GROUPS}`);
}

/** Each group tells the lab by day, the rota by night, and others after a quarter of an hour; one group has very many people. */
async function describePeople(db: Database, now: Date): Promise<void> {
  const emails = Array.from({ length: PEOPLE }, (_, index) => `person${index}@bench.example`);
  await db.query(sql`
    with hired as (
      insert into account (email, name, created_at)
      select email, split_part(email, '@', 1), ${now} from unnest(${emails}::text[]) as email returning id)
    insert into membership (account_id, organization_id, role, created_at)
    select id, 1, 'operator', ${now} from hired`);
  const group = (name: string, people: number) => ({
    name,
    steps: [{ step: 1, after_minutes: 15 }],
    told: [
      { during: 'lab_hours', account: emails[0] },
      { during: 'off_hours', rota: NIGHTS },
      ...emails.slice(1, people).map((account) => ({ step: 1, account })),
    ],
  });
  const names = Array.from({ length: GROUPS }, (_, index) => `Team ${index}`);
  const organization = {
    name: 'Bench',
    lab_hours: {
      timezone: 'Europe/Berlin',
      weekly: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '08:00', to: '18:00' }],
    },
    rotas: [{ name: NIGHTS, timezone: 'Europe/Berlin', handover: '08:00', every: 'week', members: emails }],
    groups: names.map((name) => group(name, name === LARGE ? PEOPLE : 3)),
    services: names.map((name, index) => ({
      name: `Freezer ${index + 1}`,
      notifications: { group: name, send_critical: true },
    })),
  };
  const text = JSON.stringify({ organizations: [organization] });
  const applied = await applyLabFile(db, COMMAND_LINE, { text, fileName: 'bench', isDryRun: false }, now);
  if (!applied.ok) throw new Error(JSON.stringify(applied.refusal).slice(0, 1_000));
}

async function measurePage(db: Database, url: string): Promise<number> {
  const [group] = await db.query<{ id: number }>(sql`
    select id from notification_group where name = ${LARGE}`);
  const headers = { cookie: await signIn(url) };
  const times: number[] = [];
  for (let count = 0; count < VISITS; count += 1) {
    const startedAt = performance.now();
    const page = await fetch(`${url}/settings/groups/${group?.id}`, { headers, redirect: 'manual' });
    const text = await page.text();
    if (page.status !== 200 || !text.includes('person7'))
      throw new Error(`${page.status} ${text.slice(0, 500)}`);
    if (count >= VISITS / 5) times.push(performance.now() - startedAt);
  }
  return Number(
    percentile(
      times.sort((one, other) => one - other),
      0.5,
    ).toFixed(1),
  );
}

async function signIn(url: string): Promise<string> {
  const body = new URLSearchParams({ username: PERSON.email, password: PERSON.password });
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    body,
    headers: { origin: url },
    redirect: 'manual',
  });
  const [cookie = ''] = answer.headers.getSetCookie();
  return cookie.split(';')[0] ?? '';
}
