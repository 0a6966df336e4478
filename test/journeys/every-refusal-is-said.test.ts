// Forms sent with what is refused, and what stands there once something was done, in a language without a letter of English.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ActRefusal } from '../../src/domain/words/act-words.ts';
import { countMissing } from '../../src/platform/languages/languages.ts';
import { type ChoiceHouse, openChoiceHouse } from '../support/choice-house.ts';
import { LONG, speakMadeUp } from '../support/made-up-language.ts';
import { openFinder, withoutRecords } from '../support/plain-english.ts';
import { tryForms } from '../support/try-forms.ts';
import { walkPages } from '../support/walk-pages.ts';
import { ACCESS } from '../support/who-may-see-what.ts';

let house: ChoiceHouse;
let pages: Map<string, { address: string; html: string }>;
beforeAll(async () => {
  speakMadeUp(LONG);
  house = await openChoiceHouse();
  const { server, lab, freezer, ada } = house;
  const device = await house.addDevice();
  await house.addFreezer();
  await server.db.query(sql`update account set language = ${LONG}`);
  await server.db.query(sql`update account set is_keeper = true where id = ${lab.ada.id}`);
  pages = await walkPages(ada, [
    '/',
    `/settings/channels?service=${freezer.id}`,
    `/alarms/${freezer.id}`,
    device,
  ]);
});

describe('what was done, and what was refused, by the word in the address', () => {
  /** Each that there is; a word that is missing does not compile. */
  const REFUSED: Record<ActRefusal, true> = {
    no_such_service: true,
    outside_organization: true,
    no_role: true,
    invalid_service: true,
    viewer_only: true,
    not_administrator: true,
    no_name: true,
    name_too_long: true,
    no_active_alarm: true,
    already_acknowledged: true,
    not_yours_to_give: true,
    nobody_to_hand_to: true,
    no_group_to_tell: true,
    offered_too_often: true,
    reserved_already: true,
    nothing_offered: true,
    refuge_taken: true,
    no_reservation: true,
    no_drill_day: true,
    remarks_too_long: true,
    nothing_to_remove: true,
    no_reason_without_end: true,
    no_reason: true,
    unparsable_time: true,
    end_not_after_start: true,
    already_over: true,
    no_such_note: true,
    not_your_note: true,
    no_such_downtime: true,
    unknown_band: true,
    no_limits: true,
    already_pending: true,
    no_such_result: true,
    of_another_service: true,
    not_unapplied: true,
    no_bands: true,
    unusable_bands: true,
  };
  const MORE_DONE = ['edit-partly', 'deleted', 'created', 'saved', 'password', 'clearing', 'series', 'left'];

  test('is said', async () => {
    const { server, ada, freezer } = house;
    const find = await openFinder(server);
    const words = new Set(
      Object.keys(ACCESS)
        .filter((route) => route.startsWith('POST'))
        .map((route) => route.split('/').at(-1) ?? ''),
    );
    for (const word of MORE_DONE) words.add(word);
    const plain = new Set<string>();
    let said = 0;
    const look = async (address: string, bare: string) => {
      const html = await ada.read(address);
      if (html !== bare) said += 1;
      for (const text of find(address.startsWith('/audit') ? withoutRecords(html) : html))
        plain.add(`${address}: ${text}`);
    };
    const bare = await ada.read(`/services/${freezer.id}`);
    for (const word of Object.keys(REFUSED)) await look(`/services/${freezer.id}?refused=${word}`, bare);
    expect(said).toBe(Object.keys(REFUSED).length);
    for (const { address, html } of pages.values())
      for (const word of [...words].filter((one) => !one.startsWith(':')))
        if (new RegExp(`action="[^"]*/${word}[?"]`).test(html) || MORE_DONE.includes(word))
          await look(`${address}${address.includes('?') ? '&' : '?'}done=${word}`, html);
    expect(said).toBeGreaterThan(80);
    expect([...plain]).toEqual([]);
  });
});

test('whatever a form says of what it refuses or did is said', async () => {
  const { server, ada, lab } = house;
  const find = await openFinder(server);
  const plain = new Map<string, string>();
  const statuses: Record<number, number> = {};
  const missing = countMissing().get(LONG) ?? 0;
  for await (const { sent, status, html } of tryForms(ada, pages.values())) {
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (html.includes('action="/login"')) await ada.signsIn(lab.ada);
    else
      for (const text of find(sent.startsWith('/audit') ? withoutRecords(html) : html)) plain.set(text, sent);
  }
  // With the names that were given meanwhile.
  const findNow = await openFinder(server);
  const left = [...plain].filter(([text]) => findNow(`<p>${text.replaceAll('<', '&lt;')}</p>`).length > 0);
  expect(left.map(([text, sent]) => `${sent}: ${text}`)).toEqual([]);
  expect(statuses[422]).toBeGreaterThan(100);
  expect(statuses[303]).toBeGreaterThan(100);
  expect((countMissing().get(LONG) ?? 0) - missing, 'said, but not found for translators').toBe(0);
});
