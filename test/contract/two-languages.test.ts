// Two people of one laboratory read the same at the same time, each in their own language; programs read English.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Compiled } from '../../src/domain/language/speak.ts';
import { expectFragment, HX } from '../support/answers.ts';
import {
  createFreezer,
  type Freezer,
  minutesAgo,
  setAlarm,
  setTelemetry,
  TOO_WARM,
} from '../support/equipment.ts';
import { speakMadeUp } from '../support/made-up-language.ts';
import { expectPage } from '../support/page.ts';
import { invitePeople, type People, type Person } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

const ABOVE: Compiled = [{ fact: 'reading' }, ' superas ', { fact: 'limit' }];
speakMadeUp('eo', {
  Critical: 'Kriza',
  'What is being done': 'Kion oni faras',
  'Acknowledge {name}': ['Konfirmu ', { fact: 'name' }],
  'Remove acknowledgement of {name}': ['Malkonfirmu ', { fact: 'name' }],
  'No service is in downtime.': 'Neniu ripozas.',
  'Page not found': 'Paĝo ne trovita',
  'Sign out': 'Eliru',
  '{reading} is above the {severity, select, critical {critical} other {warning}} limit of {limit}': ABOVE,
});

let server: TestServer;
let people: People;
let freezer: Freezer;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  people = await invitePeople(server);
  freezer = await createFreezer(server, people, { name: 'ULT 3' });
  await setAlarm(server, freezer, { severity: 'critical', since: minutesAgo(server, 72) });
  await setTelemetry(server, freezer, 'temperature', minutesAgo(server, 1));
  await server.db.query(sql`update account set language = 'eo' where id = ${people.oscar.id}`);
});

const ENGLISH = /is above the critical limit|>Critical<|What is being done|Sign out|Acknowledge/;
const ESPERANTO = /superas −60|>Kriza<|Kion oni faras|Eliru|Konfirmu/;

test('the alarms list is a page of its reader, however often others read it meanwhile', async () => {
  const [ada, oscar] = [await signedIn(server, people.ada), await signedIn(server, people.oscar)];
  for (let round = 0; round < 3; round++) {
    const [hers, his] = await Promise.all([ada.open('/'), oscar.open('/').then((answer) => answer.text())]);
    const html = await expectPage(hers, 200);
    expect(html).toMatch(ENGLISH);
    expect(html).not.toMatch(ESPERANTO);
    expect(his).toContain('<html lang="eo">');
    expect(his).toContain('1 °C superas −60 °C');
    expect(his).toContain('Kion oni faras');
    expect(his).not.toMatch(/>Critical<|What is being done|Sign out|"Acknowledge /);
  }
});

test('so is what pages ask for again, and the row that a button leaves behind', async () => {
  for (const path of ['/api/v1/alarms', '/'])
    for (let round = 0; round < 2; round++) {
      const [hers, his] = await Promise.all(
        [people.ada, people.oscar].map(async (one) => expectFragment(await one.get(path, HX))),
      );
      expect(hers).toMatch(ENGLISH);
      expect(hers).not.toMatch(ESPERANTO);
      expect(his).toMatch(ESPERANTO);
    }
  const path = `/api/v1/alarms/${freezer.id}/acknowledge`;
  expect(await expectFragment(await people.oscar.post(path, {}, HX))).toContain('Malkonfirmu ULT 3');
});

test('a browser says which, where nobody has chosen', async () => {
  const read = async (asked: string) =>
    expectFragment(await people.ada.get('/api/v1/alarms', { ...HX, 'accept-language': asked }));
  expect(await read('eo,en;q=0.5')).toMatch(ESPERANTO);
  expect(await read('en,eo;q=0.5')).toMatch(ENGLISH);
});

test('so are downtimes, and what is not there', async () => {
  const fragment = (one: Person) => one.get('/api/v1/downtimes', HX).then(expectFragment);
  expect(await fragment(people.oscar)).toContain('Neniu ripozas.');
  expect(await fragment(people.ada)).toContain('No service is in downtime.');
  const oscar = await signedIn(server, people.oscar);
  expect(await (await oscar.open('/services/999999')).text()).toContain('Paĝo ne trovita');
});

test('programs read one list, and know it by one tag', async () => {
  const ask = (one: Person, headers = {}) => one.get('/api/v1/alarms', headers);
  const [hers, his] = [await ask(people.ada), await ask(people.oscar, { 'accept-language': 'eo' })];
  expect(his.headers.get('etag')).toBe(hers.headers.get('etag'));
  const list = await his.json();
  expect(list).toEqual(await hers.json());
  expect(list[0].message).toBe(TOO_WARM);
  const known = { 'if-none-match': hers.headers.get('etag') ?? '' };
  expect((await ask(people.oscar, known)).status).toBe(304);
});
