import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  acknowledgementsOf,
  archive,
  auditOfService,
  createFreezer,
  type Freezer,
  mutesOf,
  setAlarm,
} from '../support/equipment.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { BLANK_EDIT, bandsInForce, versionsOf } from '../support/limits-desk.ts';
import { minutes } from '../support/movable-clock.ts';
import { expectPage } from '../support/page.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
  lab = await openLab(server);
});

const LIMITS = [
  {
    channel: 'temperature',
    bands: { CRITICAL_HIGH: { limit: -60, sustained: 5 }, WARNING_HIGH: { limit: -70 } },
  },
];
let units = 0;
/** Not by the lab file, which would take a service of the same name for the same one. */
const make = (settings: Parameters<typeof createFreezer>[2] = {}): Promise<Freezer> => {
  units += 1;
  return createFreezer(server, lab, { name: `Unit ${units}`, ...settings });
};
const read = async (path: string, person = lab.vera) => expectPage(await person.get(path), 200);
/** Without markup. */
const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

describe('who may see the page, its data and its exports', () => {
  const PATHS = ['', '/now', '/series?channel=temperature', '/readings.csv', '/readings.parquet'];

  test.each(PATHS)('%j: every role of the organization, nobody else', async (path) => {
    const { id } = await make();
    for (const person of [lab.vera, lab.oscar, lab.ada])
      expect((await person.get(`/services/${id}${path}`)).status).toBe(200);
    for (const person of [lab.olga, lab.nora])
      await expectPage(await person.get(`/services/${id}${path}`), 404);
  });

  test.each(PATHS)('%j: an archived service is not found, for administrators neither', async (path) => {
    const freezer = await make();
    await archive(server, freezer);
    for (const person of [lab.vera, lab.ada])
      await expectPage(await person.get(`/services/${freezer.id}${path}`), 404);
  });

  test.each(PATHS)('%j: unknown, huge and senseless ids are not found', async (path) => {
    for (const id of ['2147483647', '99999999999999999999', '0', '-1', 'x', '1e3', '%00'])
      await expectPage(await lab.ada.get(`/services/${id}${path}`), 404);
  });

  test.each(PATHS)('%j: without a session to the sign-in page, existing or not', async (path) => {
    const { id } = await make();
    for (const service of [id, 2147483647]) {
      const answer = await fetch(`${server.url}/services/${service}${path}`, { redirect: 'manual' });
      expect(answer.status).toBe(303);
      const next = encodeURIComponent(`/services/${service}${path}`).replaceAll('%20', '+');
      expect(answer.headers.get('location')).toBe(`/login?next=${next}`);
    }
  });

  test('what an open page asks for again is only how the service stands', async () => {
    const freezer = await lab.freezer({ name: 'Renewed', limits: LIMITS });
    await freezer.reads(-65);
    const html = await (await lab.oscar.get(`/services/${freezer.id}/now`)).text();
    expect(textOf(html)).toContain('Temperature −65 °C is above the warning limit of −70 °C');
    expect(html).toMatch(/^<div id="standing" data-live="\/services\/\d+\/now"/);
    expect(html).toContain('<div id="values"');
    expect(html).not.toContain('class="chart"');
  });

  test('forms of the page are not found either', async () => {
    const freezer = await make();
    const verbs = [
      'schedule-downtime',
      'cancel-downtime',
      'edit',
      'delete-band',
      'recommend',
      'apply-recommendation',
    ];
    for (const verb of verbs) await expectPage(await lab.olga.post(`/services/${freezer.id}/${verb}`), 404);
  });
});

describe('what it says', () => {
  test('where and what it is, escaped', async () => {
    const { id } = await make({ name: '<b>Freezer</b>', location: 'Room "101"' });
    const html = await read(`/services/${id}`);
    expect(html).toContain('<h1>&lt;b>Freezer&lt;/b></h1>');
    expect(html).toContain('<dd>Room &quot;101&quot;</dd>');
    expect(html).not.toContain('<b>Freezer');
  });

  test('why it is in alarm, in words', async () => {
    const freezer = await lab.freezer({ limits: LIMITS });
    await freezer.reads(-65);
    await lab.advance(minutes(2));
    await freezer.reads(-50);
    const running = textOf(await read(`/services/${freezer.id}`));
    expect(running).toContain('Temperature −50 °C is above the warning limit of −70 °C since today');
    expect(running).toContain('It becomes critical in 5 min unless it ends before.');
    await lab.advance(minutes(6));
    const active = textOf(await read(`/services/${freezer.id}`));
    expect(active).toMatch(/above the critical limit of −60 °C since .* longer than the 5 min allowed\./);
    expect(active).toContain('Without new data the service counts as stale from');
  });

  test('that all is well, or that nothing is judged', async () => {
    const freezer = await lab.freezer({ limits: LIMITS });
    await freezer.reads(-80);
    expect(textOf(await read(`/services/${freezer.id}`))).toContain(
      'Temperature −80 °C is within its limits.',
    );
    expect(textOf(await read(`/services/${(await make()).id}`))).toContain('No limits are set');
  });

  test('the limits with their history: author, origin and difference', async () => {
    const freezer = await lab.freezer({ limits: LIMITS });
    const edit = { ...BLANK_EDIT, ch_high: '-55', ch_sustained: '5', wh_high: '-70' };
    await lab.ada.post(`/api/v1/services/${freezer.id}/edit`, edit);
    const text = textOf(await read(`/services/${freezer.id}`));
    expect(text).toContain('Temperature, version 2 (in force) Edited by Ada');
    expect(text).toContain('Critical high: −60 (sustained 5 min) → −55 (sustained 5 min)');
    expect(text).toContain('version 1 Lab file applied by');
  });

  test('a chart without scripts: the readings as a drawing, with its limits', async () => {
    const freezer = await lab.freezer({ limits: LIMITS });
    for (const value of [-80, -79, -78]) {
      await freezer.reads(value);
      await lab.advance(minutes(5));
    }
    const html = await read(`/services/${freezer.id}`);
    expect(html).toMatch(/<path class="curve-line" d="M[\d.]+ [\d.]+L[\d.]+ [\d.]+L[\d.]+ [\d.]+"/);
    expect(html).toContain('limit-line-warning');
    expect(html).toContain('aria-label="Temperature: −80 to −78 °C, last −78 °C"');
  });
});

describe('what each role may do', () => {
  test('a viewer reads, an operator acts, an administrator edits', async () => {
    const freezer = await lab.freezer({ limits: LIMITS });
    await freezer.reads(-65);
    const seen = async (person = lab.vera) => {
      const html = await read(`/services/${freezer.id}`, person);
      return [
        '/acknowledge"',
        '/mute"',
        '/schedule-downtime"',
        '/delete-band?',
        '/edit#edit"',
        '/backtest"',
        '/drill"',
      ].filter((form) => html.includes(form));
    };
    expect(await seen(lab.vera)).toEqual([]);
    expect(await seen(lab.oscar)).toEqual(['/acknowledge"', '/mute"', '/schedule-downtime"']);
    expect(await seen(lab.ada)).toHaveLength(7);
  });

  test('acknowledge, mute and what undoes them lead back to the page', async () => {
    const freezer = await make();
    await setAlarm(server, freezer, { severity: 'critical' });
    const oscar = await signedIn(server, lab.oscar);
    const page = `/services/${freezer.id}`;
    const send = async (verb: string, form = {}) => {
      const answer = await oscar.send(`/alarms/${freezer.id}/${verb}`, form, { referer: server.url + page });
      expect(answer.status).toBe(303);
      return textOf(await oscar.read(answer.headers.get('location') ?? ''));
    };
    expect(await send('acknowledge', { comment: 'On my way' })).toContain('The alarm is acknowledged.');
    expect(await acknowledgementsOf(server, freezer)).toMatchObject([
      { comment: 'On my way', accountName: 'Oscar' },
    ]);
    expect(await send('acknowledge')).toContain('Somebody has acknowledged this alarm already.');
    expect(textOf(await oscar.read(page))).toContain('Acknowledged at critical by Oscar');
    expect(await send('mute', { reason: 'Defrosting' })).toContain('Muted: nobody is notified');
    expect(await mutesOf(server, freezer)).toMatchObject([{ reason: 'Defrosting' }]);
    expect(await send('unmute')).toContain('Unmuted: people are notified again.');
    expect(await send('unacknowledge')).toContain('The acknowledgement is removed.');
  });

  test('a downtime is planned in the own zone, and cancelled', async () => {
    const { id } = await make();
    const oscar = await signedIn(server, lab.oscar);
    expect(await oscar.read(`/services/${id}`)).toContain('Times are in Europe/Berlin');
    const planned = await oscar.send(`/services/${id}/schedule-downtime`, {
      start_time: '2026-11-16T10:00',
      end_time: '2026-11-16T12:00',
      reason: 'Defrost <b>',
    });
    expect(planned.headers.get('location')).toBe(`/services/${id}?done=schedule-downtime`);
    const html = await oscar.read(`/services/${id}?done=schedule-downtime`);
    expect(textOf(html)).toContain('The downtime is scheduled.');
    expect(html).toContain('datetime="2026-11-16T09:00:00.000+00:00"');
    expect(html).toContain('Defrost &lt;b>');
    const downtimeId = /\/downtimes\/(\d+)\/cancel/.exec(html)?.[1] ?? '';
    const gone = await oscar.send(`/services/${id}/cancel-downtime`, { downtime_id: downtimeId });
    expect(textOf(await oscar.read(gone.headers.get('location') ?? ''))).toContain(
      'The downtime is cancelled.',
    );
    const again = await oscar.send(`/services/${id}/cancel-downtime`, { downtime_id: downtimeId });
    expect(textOf(await oscar.read(again.headers.get('location') ?? ''))).toContain('was cancelled already');
  });

  test.each([
    [{ reason: ' ' }, 'Say why: a reason is required.'],
    [{ start_time: 'soon' }, 'This is not a date and time that exists.'],
    [{ end_time: '2026-11-16T09:00' }, 'The end has to be after the start.'],
    [{ start_time: '2026-11-01T09:00', end_time: '2026-11-02T09:00' }, 'This is over already'],
  ])('a downtime with %j is refused in words, and what was typed stays', async (wrong, words) => {
    const { id } = await make();
    const form = {
      start_time: '2026-11-16T10:00',
      end_time: '2026-11-16T12:00',
      reason: 'Defrost',
      ...wrong,
    };
    const html = await expectPage(await lab.oscar.post(`/services/${id}/schedule-downtime`, form), 422);
    expect(html).toContain(words);
    expect(html).toContain(`value="${form.end_time.replace('T', ' ')}"`);
    expect(html).toContain('<details open>');
  });

  test('a viewer who sends a form changes nothing', async () => {
    const freezer = await lab.freezer({ limits: LIMITS });
    const window = { start_time: '2026-11-16T10:00', end_time: '2026-11-16T12:00', reason: 'Defrost' };
    await expectPage(await lab.vera.post(`/services/${freezer.id}/schedule-downtime`, window), 422);
    const answer = await lab.vera.post(`/services/${freezer.id}/delete-band`, {
      band_name: 'CRITICAL_HIGH',
      metric_channel: 'temperature',
    });
    expect(answer.headers.get('location')).toBe(`/services/${freezer.id}?refused=not_administrator`);
    const downtimes = await server.db.query(sql`select from downtime where service_id = ${freezer.id}`);
    expect(downtimes).toEqual([]);
    expect(await bandsInForce(server, freezer)).toHaveLength(2);
  });

  test('an administrator removes a band', async () => {
    const freezer = await lab.freezer({ limits: LIMITS });
    const form = { band_name: 'CRITICAL_HIGH', metric_channel: 'temperature' };
    await lab.ada.post(`/services/${freezer.id}/delete-band`, form);
    expect(await bandsInForce(server, freezer)).toEqual(['WARNING_HIGH -70 delay 0 sustained 0']);
  });

  test('another site cannot send its forms', async () => {
    const { id } = await make();
    const oscar = await signedIn(server, lab.oscar);
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    await expectPage(await oscar.send(`/services/${id}/cancel-downtime`, {}, headers), 403);
  });
});

describe('its tabs', () => {
  const shown = (html: string) =>
    [...html.matchAll(/<div id="tab-(\w+)" class="tab-panel"( hidden)?/g)].flatMap(([, tab, isHidden]) =>
      isHidden ? [] : [tab],
    );
  const current = (html: string) =>
    /<nav class="tabs"[\s\S]*?aria-current="page">(\w+)</.exec(html)?.[1] ?? 'none';

  test.each<[string, string[], string]>([
    ['', ['alarm', 'now'], 'Now'],
    ['?tab=history', ['history'], 'History'],
    ['?tab=limits', ['limits'], 'Limits'],
    ['?tab=notifications', ['notifications'], 'Notifications'],
    ['?tab=settings', ['settings'], 'Settings'],
    ['?tab=purple', ['alarm', 'now'], 'Now'],
    ['?limits=default', ['limits'], 'Limits'],
    ['?edit_error=Limits+must+be+numbers', ['limits'], 'Limits'],
    ['?done=edit', ['limits'], 'Limits'],
  ])('%j', async (query, panels, tab) => {
    const freezer = await lab.freezer({ limits: LIMITS });
    await freezer.reads(-80);
    const html = await read(`/services/${freezer.id}${query}`, lab.ada);
    expect(shown(html)).toEqual(panels);
    expect(current(html)).toBe(tab);
    expect(html.includes('class="drawing"')).toBe(tab === 'Now');
    // Whoever sends a form from the page finds each of them, whichever tab is open.
    for (const form of ['edit#edit', 'schedule-downtime', 'recommend', 'rename'])
      expect(html).toContain(`action="/services/${freezer.id}/${form}`);
  });

  test('a viewer has all of them, and nothing to send', async () => {
    const { id } = await make();
    const html = await read(`/services/${id}?tab=settings`);
    expect(html).toContain(`/services/${id}/sticker`);
    expect(html).not.toContain(`/services/${id}/rename`);
  });

  test('a downtime that was refused stands where it was typed', async () => {
    const { id } = await make();
    const refused = await lab.oscar.post(`/services/${id}/schedule-downtime`, { reason: '' });
    expect(refused.status).toBe(422);
    expect(shown(await refused.text())).toEqual(['alarm', 'now']);
  });
});

describe('renaming', () => {
  const inAlarm = async () => {
    const freezer = await make();
    await setAlarm(server, freezer, { severity: 'critical' });
    await lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`, {});
    return freezer;
  };

  test('ends no acknowledgement, is on record, and leads back with the new name', async () => {
    const freezer = await inAlarm();
    const renamed = await lab.ada.post(`/services/${freezer.id}/rename`, { name: ' ULT <9> ' });
    expect(renamed.headers.get('location')).toBe(`/services/${freezer.id}?done=rename`);
    const html = await read(`/services/${freezer.id}?done=rename`, lab.ada);
    expect(html).toContain('ULT &lt;9>');
    expect(html).toContain('The name is saved.');
    expect((await acknowledgementsOf(server, freezer)).map(({ endedAt }) => endedAt)).toEqual([null]);
    expect((await auditOfService(server, freezer)).at(-1)).toMatchObject({
      action: 'service.rename',
      detail: { changes: { name: { before: freezer.name, after: 'ULT <9>' } } },
    });
    expect(await versionsOf(server, freezer)).toHaveLength(0);
  });

  test.each([
    ['', 'no_name'],
    ['   ', 'no_name'],
    ['x'.repeat(201), 'name_too_long'],
  ])('%j is refused', async (name, refusal) => {
    const freezer = await make();
    const refused = await lab.ada.post(`/services/${freezer.id}/rename`, { name });
    expect(refused.headers.get('location')).toBe(`/services/${freezer.id}?refused=${refusal}`);
    expect(await read(`/services/${freezer.id}?refused=${refusal}`, lab.ada)).toContain(
      'Nothing was changed.',
    );
  });

  test('the same name is no change', async () => {
    const freezer = await make();
    await lab.ada.post(`/services/${freezer.id}/rename`, { name: freezer.name });
    expect(await auditOfService(server, freezer)).toEqual([]);
  });

  test('is for administrators of its organization', async () => {
    const freezer = await make();
    const headers = await Promise.all(
      [lab.vera, lab.oscar].map((person) => person.post(`/services/${freezer.id}/rename`, { name: 'Mine' })),
    );
    for (const answer of headers)
      expect(answer.headers.get('location')).toBe(`/services/${freezer.id}?refused=not_administrator`);
    await expectPage(await lab.olga.post(`/services/${freezer.id}/rename`, { name: 'Mine' }), 404);
    expect(await read(`/services/${freezer.id}`)).not.toContain('Mine');
  });

  test('an edit from the page leaves the name as it is meanwhile', async () => {
    const freezer = await lab.freezer({ limits: LIMITS });
    await lab.ada.post(`/services/${freezer.id}/rename`, { name: 'Renamed meanwhile' });
    await lab.ada.post(`/services/${freezer.id}/edit`, { ...BLANK_EDIT, name: '' });
    expect(await read(`/services/${freezer.id}`)).toContain('Renamed meanwhile');
  });
});

describe('the edit form', () => {
  test('shows what is in force, sent back as it is it changes no band, and says what is not saved', async () => {
    const freezer = await lab.freezer({ limits: LIMITS });
    const html = await read(`/services/${freezer.id}`, lab.ada);
    expect(html).toContain(`action="/services/${freezer.id}/edit#edit"`);
    expect(html).toContain('A limit of 0 without sustained and delay is not saved');
    const form = html.slice(html.indexOf('id="edit-form"'));
    const fields = Object.fromEntries(
      [...form.slice(0, form.indexOf('</form>')).matchAll(/<input[^>]*\sname="([^"]+)"[^>]*>/g)].flatMap(
        ([tag, name]) => {
          if (tag.includes('type="checkbox"') && !/\schecked/.test(tag)) return [];
          return [[name, /value="([^"]*)"/.exec(tag)?.[1] ?? '']];
        },
      ),
    );
    const before = await bandsInForce(server, freezer);
    const saved = await lab.ada.post(`/services/${freezer.id}/edit`, fields);
    expect(saved.status).toBe(303);
    expect(saved.headers.get('location')).toBe(`/services/${freezer.id}?done=edit#state`);
    expect(await bandsInForce(server, freezer)).toEqual(before);
    expect(await versionsOf(server, freezer)).toHaveLength(2);
    expect(await read(`/services/${freezer.id}?done=edit`, lab.ada)).toContain('The settings are saved');
  });

  test('what was typed and not saved is said afterwards: a lone 0, and what is not a number', async () => {
    const freezer = await make();
    for (const wl_low of ['0', '7,5']) {
      const saved = await lab.ada.post(`/services/${freezer.id}/edit`, {
        ...BLANK_EDIT,
        ch_high: '8',
        wl_low,
      });
      expect(saved.headers.get('location')).toBe(`/services/${freezer.id}?done=edit-partly#state`);
    }
    expect(await read(`/services/${freezer.id}?done=edit-partly`, lab.ada)).toContain(
      'Not saved: a limit of 0',
    );
    expect(await bandsInForce(server, freezer)).toEqual(['CRITICAL_HIGH 8 delay 0 sustained 0']);
  });

  test('refused, it stands there as it was typed, under the channel that it was about', async () => {
    const freezer = await lab.freezer({ limits: LIMITS });
    const typed = {
      ...BLANK_EDIT,
      metric_channel: 'co2',
      ch_high: '1',
      wh_high: '2',
      wl_low: '7,5',
      name: '"X"',
    };
    const answer = await lab.ada.post(`/services/${freezer.id}/edit`, { ...typed, send_warning: 'on' });
    const html = await expectPage(answer, 422);
    expect(html).toContain('Critical high must be strictly greater than warning high. Nothing was saved.');
    const form = html.slice(html.indexOf('id="edit"'));
    expect(form).toContain('<details open>');
    expect(form).toContain('<legend>Limits of co2 (has not reported yet)</legend>');
    expect(form).toContain('name="metric_channel" value="co2"');
    for (const value of ['1', '2', '7,5', '&quot;X&quot;']) expect(form).toContain(`value="${value}"`);
    expect(form).toMatch(/name="send_warning" value="on" checked/);
    expect(form).not.toMatch(/name="send_critical" value="on" checked/);
    expect(await bandsInForce(server, freezer)).toHaveLength(2);
  });

  test('a save that fails says so, and keeps what was typed', async () => {
    const freezer = await make();
    const metric_channel = Array.from({ length: 3_000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + index),
    ).join('');
    const typed = { ...BLANK_EDIT, metric_channel, ch_high: '8.25' };
    const html = await expectPage(await lab.ada.post(`/services/${freezer.id}/edit`, typed), 422);
    expect(html).toContain(
      'Internal error while saving the policy update - see server logs for full details',
    );
    expect(html).toContain('value="8.25"');
    expect(await versionsOf(server, freezer)).toEqual([]);
  });

  test('who comes back to a refused form by its address finds the page', async () => {
    const { id } = await make();
    for (const form of ['edit', 'schedule-downtime']) {
      const answer = await lab.vera.get(`/services/${id}/${form}`);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `/services/${id}`]);
    }
  });

  test('nobody but an administrator can send it', async () => {
    const freezer = await make();
    for (const person of [lab.vera, lab.oscar]) {
      const answer = await person.post(`/services/${freezer.id}/edit`, { ...BLANK_EDIT, ch_high: '8' });
      expect(answer.headers.get('location')).toBe(`/services/${freezer.id}?refused=not_administrator`);
    }
    expect(await versionsOf(server, freezer)).toEqual([]);
  });

  test('a refusal of the interface is shown on the page, with the form open', async () => {
    const freezer = await lab.freezer({ limits: LIMITS });
    const edit = { ...BLANK_EDIT, ch_high: '-80', wh_high: '-70' };
    const refused = await lab.ada.post(`/api/v1/services/${freezer.id}/edit`, edit);
    const html = await read(refused.headers.get('location') ?? '', lab.ada);
    expect(html).toContain('Critical high must be strictly greater than warning high. Nothing was saved.');
    expect(html).toContain('<details open>');
  });

  test('the limits of another channel can be loaded', async () => {
    const freezer = await lab.freezer({ limits: LIMITS });
    const html = await read(`/services/${freezer.id}?limits=default`, lab.ada);
    expect(html).toContain('<input type="hidden" name="metric_channel" value="default"/>');
    expect(html).toContain('<legend>Limits of All metric channels</legend>');
  });

  test('words in the address that are not ours are not shown', async () => {
    const { id } = await make();
    for (const query of ['done=constructor', 'refused=toString', 'done=You+won', 'edit_error=Call+0190'])
      expect(await read(`/services/${id}?${query}`, lab.ada)).not.toContain('class="notice');
  });
});
