// One search for whatever a reader may open, and the list of keys.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { expectPage, textOf } from '../support/page.ts';
import type { Person } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

let server: TestServer;
let lab: Lab;
let elsewhere: Lab;
let freezer: number;
beforeAll(async () => {
  server = await startServer();
  lab = await openLab(server);
  elsewhere = await openLab(server);
  freezer = await lab.apply({
    name: 'ULT 3',
    location: 'Virology',
    asset: 'Inv-0042',
    device: { key: 'a84041fb6189eee6' },
  });
  await lab.applyAll([
    { name: 'ULT 30', location: 'Cell biology' },
    ...Array.from({ length: 25 }, (_, index) => ({
      name: `Incubator ${index + 1}`,
      location: 'Cell biology',
    })),
  ]);
  await elsewhere.apply({ name: 'ULT 3', location: 'Virology' });
  await lab.group({ name: 'Cold team' });
});

async function find(person: Person, q: string): Promise<string> {
  const visitor = await signedIn(server, person);
  return expectPage(await visitor.open(`/search?${new URLSearchParams({ q })}`), 200);
}

describe('units', () => {
  test.each([['ULT Virology'], ['virology ult'], ['0042'], ['a84041FB'], ['ult Inv']])(
    '%s finds the freezer, once, with its place',
    async (q) => {
      const html = await find(lab.vera, q);
      expect(html.match(new RegExp(`href="/services/${freezer}"`, 'g'))).toHaveLength(1);
      expect(textOf(html)).toContain('Virology');
      expect(textOf(html)).not.toContain('ULT 30');
    },
  );

  test('each word has to be there', async () => {
    expect(textOf(await find(lab.vera, 'ULT Oncology'))).toContain('Nothing is called that');
  });

  test('what means something to a pattern finds nothing', async () => {
    expect(textOf(await find(lab.vera, '%'))).toContain('Nothing is called that');
  });

  test('no more than 20 of a kind', async () => {
    const html = await find(lab.vera, 'incubator');
    expect(html.match(/href="\/services\/\d+"/g)).toHaveLength(20);
    expect(textOf(html)).toContain('More than 20 found. A further word finds fewer.');
  });
});

describe('each only to those who may open it', () => {
  test('nothing of another organization', async () => {
    const html = await find(elsewhere.ada, 'ULT');
    expect(html).not.toContain(`"/services/${freezer}"`);
    expect(textOf(html)).not.toContain('Cell biology');
    expect(textOf(await find(elsewhere.ada, 'Cold team'))).toContain('Nothing is called that');
    expect(textOf(await find(elsewhere.ada, lab.oscar.email))).toContain('Nothing is called that');
  });

  test('places by everybody', async () => {
    expect(await find(lab.vera, 'cell')).toMatch(/href="\/services\?location=\d+"/);
  });

  test.each(['vera', 'oscar'] as const)('neither people, groups nor settings by %s', async (name) => {
    for (const q of [lab.oscar.email, 'Cold team', 'Lab hours'])
      expect(textOf(await find(lab[name], q)), q).toContain('Nothing is called that');
  });

  test('people, groups and settings by administrators', async () => {
    expect(await find(lab.ada, lab.oscar.email)).toContain(`/settings/members/${lab.oscar.id}`);
    expect(await find(lab.ada, 'team cold')).toMatch(/href="\/settings\/groups\/\d+\?organization=\d+"/);
    expect(await find(lab.ada, 'hours lab')).toContain('href="/settings/lab-hours"');
    // By what it is about, and by its group.
    expect(await find(lab.ada, 'secret')).toContain('href="/settings/sources"');
    expect(await find(lab.ada, 'escalation')).toContain('href="/settings/rotas"');
  });

  test('of the installation by keepers', async () => {
    expect(await find(lab.ada, 'public address')).not.toContain('href="/settings/delivery"');
  });
});

test('while somebody types, only what is found is answered', async () => {
  const visitor = await signedIn(server, lab.vera);
  const answer = await visitor.open('/search?q=ult', { 'hx-request': 'true' });
  const html = await answer.text();
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(html).not.toContain('<html');
  expect(html).toContain(`href="/services/${freezer}"`);
});

test('a member of no organization finds pages, and nothing else', async () => {
  const html = await find(lab.nora, 'alarms');
  expect(html).toContain('<li><a href="/">');
  expect(html).not.toContain('"/services/');
});

test('the keys are listed, with the pages that they lead to', async () => {
  const visitor = await signedIn(server, lab.vera);
  const html = await expectPage(await visitor.open('/keys'), 200);
  expect(textOf(html)).toContain('g e Equipment');
  const links = [...html.matchAll(/<a href="[^"]+"[^>]* data-key="(\w)"/g)].map(([, letter]) => letter);
  expect(links.length).toBeGreaterThan(3);
  for (const letter of links) expect(html).toContain(`<kbd>g</kbd><kbd>${letter}</kbd>`);
});
