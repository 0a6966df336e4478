// Every page in a language without a letter of English: whatever is plain on it was never said through a language.
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { openChoiceHouse } from '../support/choice-house.ts';
import { LONG, speakMadeUp } from '../support/made-up-language.ts';
import { openFinder } from '../support/plain-english.ts';
import { walkPages } from '../support/walk-pages.ts';

test('no page says anything in plain English to somebody who reads another language', async () => {
  speakMadeUp(LONG);
  const house = await openChoiceHouse();
  const { server, ada, freezer } = house;
  const device = await house.addDevice();
  await house.addFreezer();
  await server.db.query(sql`update account set language = ${LONG}`);
  const from = ['/', `/settings/channels?service=${freezer.id}`, `/alarms/${freezer.id}`, device];
  const pages = await walkPages(ada, from);
  const find = await openFinder(server);
  const plain = [...pages].flatMap(([pattern, { html }]) => find(html).map((text) => `${pattern}: ${text}`));
  expect(pages.size).toBeGreaterThan(30);
  expect(plain).toEqual([]);
});
