import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adoptLimits } from '../../src/engine/services/adopt-limits.ts';
import { anonymously, expectDetail, expectField, expectFragment, HX } from '../support/answers.ts';
import { archive, createFreezer } from '../support/equipment.ts';
import { LONG, speakMadeUp } from '../support/made-up-language.ts';
import { openFinder } from '../support/plain-english.ts';
import { openRecommendationDesk, type RecommendationDesk, wordsOf } from '../support/recommendation-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let desk: RecommendationDesk;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  desk = await openRecommendationDesk(server);
});

const BANDS = [
  { band: 'CRITICAL_HIGH', limit: -60, delay: 0, sustained: 15 },
  { band: 'WARNING_HIGH', limit: -65, delay: 2.5, sustained: 10 },
  { band: 'WARNING_LOW', limit: -90, delay: 0, sustained: 0 },
];
const RESULT = {
  channel: 'temperature',
  is_percentage: false,
  proposed_bands: BANDS,
  reasoning: ['It stayed between -81.2 and -78.4 °C.', 'The door is opened twice a day.'],
  backtest: {
    from: '2026-10-16T03:00:00.000+00:00',
    to: '2026-11-15T03:00:00.000+00:00',
    readings: 43200,
    current: { alarms: 14, alarm_minutes: 122.44, longest_minutes: 31 },
    proposed: { alarms: 1, alarm_minutes: 20, longest_minutes: 20 },
  },
  advisor: 'builtin',
};

const setLimits = (channel: string | null, isPercentage = false) =>
  server.db.transaction((tx) =>
    adoptLimits(tx, {
      serviceId: desk.freezer.id,
      organizationId: desk.organization,
      limits: {
        channel,
        isPercentage,
        setpointChannel: isPercentage ? 'setpoint' : null,
        stateChannel: null,
        bands: [
          { band: 'CRITICAL_HIGH', limit: -50, delayMinutes: 0, sustainedMinutes: 5 },
          { band: 'CRITICAL_LOW', limit: -95, delayMinutes: 0, sustainedMinutes: 5 },
          { band: 'WARNING_LOW', limit: -90, delayMinutes: 0, sustainedMinutes: 0 },
        ],
      },
      origin: 'edit',
      author: { id: desk.ada.id, name: 'Ada' },
      now: server.clock.read(),
    }),
  );

const buttonsOf = (html: string) => [...html.matchAll(/<button[^>]*>([^<]+)</g)].map(([, label]) => label);
const rowsOf = (html: string) =>
  [...html.matchAll(/<tr class="band-[^>]*>.*?<\/tr>/g)].map(([row]) => wordsOf(row));

describe('GET /api/v1/services/{service_id}/recommendation, what it shows', () => {
  test('nothing requested: a request button', async () => {
    const html = await desk.read(desk.ada);
    expect(wordsOf(html)).toContain('No recommendation has been requested.');
    expect(buttonsOf(html)).toEqual(['Request a recommendation']);
    expect(html).toContain(`hx-post="/api/v1/services/${desk.freezer.id}/recommend"`);
    expect(html).toContain('hx-target="closest .recommendation"');
    expect(html).not.toContain('hx-trigger');
  });

  test('pending: a line, which asks again every 20 seconds', async () => {
    await desk.recommend(desk.ada);
    for (const person of [desk.vera, desk.oscar, desk.ada]) {
      const html = await desk.read(person);
      expect(wordsOf(html)).toMatch(/^Recommendation pending: requested by Ada, today 04:00 \.$/);
      expect(html).toMatch(
        new RegExp(`^<div id="recommendation-${desk.freezer.id}" class="recommendation" hx-get=`),
      );
      expect(html).toContain(`hx-get="/api/v1/services/${desk.freezer.id}/recommendation"`);
      expect(html).toContain('hx-trigger="every 20s"');
      expect(html).toContain('hx-swap="outerHTML"');
      expect(buttonsOf(html)).toEqual([]);
    }
  });

  test('failed: the reason and a retry button', async () => {
    await desk.failed('Only 3 days of readings: 7 are needed.');
    const html = await desk.read(desk.ada);
    expect(wordsOf(html)).toContain('Reason: Only 3 days of readings: 7 are needed.');
    expect(buttonsOf(html)).toEqual(['Try again']);
    expect(html).toContain(`hx-post="/api/v1/services/${desk.freezer.id}/recommend"`);
    expect(html).not.toContain('hx-trigger');
  });

  test('completed: current and proposed bands side by side, and what changes in a word', async () => {
    await setLimits('temperature');
    await desk.completed(RESULT);
    const html = await desk.read(desk.ada);
    expect(wordsOf(html)).toContain('Limits of Temperature');
    expect(rowsOf(html)).toEqual([
      'Critical high -50 °C sustained 5 min -60 °C sustained 15 min changed',
      'Warning high None -65 °C sustained 10 min delay 2.5 min new',
      'Warning low -90 °C -90 °C unchanged',
      'Critical low -95 °C sustained 5 min None removed',
    ]);
    expect(html).not.toContain('hx-trigger');
  });

  test('completed: the reasoning and the backtest', async () => {
    await desk.completed(RESULT);
    const html = await desk.read(desk.vera);
    expect(html).toContain(
      '<li>It stayed between -81.2 and -78.4 °C.</li><li>The door is opened twice a day.</li>',
    );
    const words = wordsOf(html);
    expect(words).toContain('from 16 Oct 05:00 to today 04:00 , 43200 readings');
    expect(words).toContain('Current limits Proposed limits Alarms 14 1');
    expect(words).toContain('Time in alarm 122.4 min 20 min');
    expect(words).toContain('Longest excursion 31 min 20 min');
  });

  test('completed: an apply button whose form holds the result_id', async () => {
    const id = await desk.completed(RESULT);
    const html = await desk.read(desk.ada);
    expect(html).toMatch(
      new RegExp(
        `<form hx-post="/api/v1/services/${desk.freezer.id}/apply-recommendation"[^>]*>` +
          `<input type="hidden" name="result_id" value="${id}"/><button type="submit"[^>]*>Apply</button></form>`,
      ),
    );
    expect(buttonsOf(html)).toEqual(['Apply', 'Request a new recommendation']);
  });

  test('applied: says so, and offers a new request', async () => {
    const id = await desk.completed(RESULT);
    await desk.apply(desk.ada, id);
    const html = await desk.read(desk.ada);
    expect(wordsOf(html)).toMatch(/^Recommendation applied, today 04:00/);
    expect(buttonsOf(html)).toEqual(['Request a new recommendation']);
    expect(html).not.toContain('result_id');
    expect(wordsOf(html)).toContain('Band Applied Critical high -60 °C sustained 15 min Warning high -65 °C');
    expect(wordsOf(html)).toContain('These limits are in force.');
    expect(wordsOf(html)).toContain('Figure Limits before Proposed limits Alarms 14 1');
  });

  test('applied, and changed since: compared with what is in force now', async () => {
    await desk.apply(desk.ada, await desk.completed(RESULT));
    await setLimits('temperature');
    const html = await desk.read(desk.vera);
    expect(wordsOf(html)).toContain('The limits have been changed since.');
    expect(rowsOf(html)[0]).toBe('Critical high -50 °C sustained 5 min -60 °C sustained 15 min changed');
  });

  test('the newest request counts', async () => {
    await desk.completed(RESULT);
    await desk.failed('Later');
    expect(wordsOf(await desk.read(desk.ada))).toContain('Reason: Later');
    await desk.recommend(desk.ada);
    expect(wordsOf(await desk.read(desk.ada))).toContain('Recommendation pending');
  });
});

describe('viewers and operators read, but get nothing to press', () => {
  test.each(['none', 'failed', 'completed', 'applied'])('%s', async (state) => {
    if (state === 'failed') await desk.failed('Too little data');
    if (state === 'completed' || state === 'applied') {
      const id = await desk.completed(RESULT);
      if (state === 'applied') await desk.apply(desk.ada, id);
    }
    const administrators = wordsOf(await desk.read(desk.ada));
    for (const person of [desk.vera, desk.oscar]) {
      const html = await desk.read(person);
      expect(html).not.toMatch(/<button|<form|<input|result_id|hx-/);
      expect(administrators.startsWith(wordsOf(html))).toBe(true);
    }
  });
});

describe('whose limits are compared', () => {
  test('none so far: everything is new', async () => {
    await desk.completed(RESULT);
    const rows = rowsOf(await desk.read(desk.ada));
    expect(rows).toHaveLength(3);
    expect(rows.every((row) => row.endsWith(' new'))).toBe(true);
  });

  test('the service-wide ones, where the channel has none of its own; and it says so', async () => {
    await setLimits(null);
    await desk.completed(RESULT);
    const html = await desk.read(desk.ada);
    expect(rowsOf(html)[0]).toContain('Critical high -50 °C');
    expect(wordsOf(html)).toContain('Now the limits of the whole service apply.');
  });

  test('percentages beside absolute limits have their own units', async () => {
    await setLimits('temperature', true);
    await desk.completed(RESULT);
    const html = await desk.read(desk.ada);
    expect(rowsOf(html)[0]).toMatch(/-50 % .* -60 °C .* changed$/);
    expect(rowsOf(html)[2]).toMatch(/-90 % -90 °C changed$/);
    expect(wordsOf(html)).toContain('The proposed limits are absolute; the current ones are percentages.');
  });

  test('a proposal in percent names the setpoint that stays', async () => {
    await setLimits('temperature', true);
    await desk.completed({ ...RESULT, is_percentage: true });
    const words = wordsOf(await desk.read(desk.ada));
    expect(words).toContain('The proposed limits are deviations from setpoint in percent.');
  });

  test('a proposal in percent without any setpoint is told to be idle', async () => {
    await desk.completed({ ...RESULT, is_percentage: true });
    expect(wordsOf(await desk.read(desk.ada))).toContain('they would never fire');
  });

  test('no channel named: the main one', async () => {
    await desk.completed({ proposed_bands: BANDS });
    expect(wordsOf(await desk.read(desk.ada))).toContain('Limits of Temperature');
  });

  test('a channel that has not reported goes by its name, the whole service by its meaning', async () => {
    await desk.completed({ ...RESULT, channel: 'co2' });
    expect(wordsOf(await desk.read(desk.ada))).toContain('Limits of co2');
    await desk.completed({ ...RESULT, channel: 'default' });
    expect(wordsOf(await desk.read(desk.ada))).toContain('Limits of all channels');
  });
});

describe('results of other programs, whatever they hold', () => {
  test.each([[{}], [{ proposed_bands: null, reasoning: null }], [{ reasoning: 'Wait for the tool.' }]])(
    'without proposed_bands: %j',
    async (result) => {
      const id = await desk.completed(result);
      const html = await desk.read(desk.ada);
      expect(wordsOf(html)).toContain('The result proposes no bands yet');
      expect(html).toContain(`name="result_id" value="${id}"`);
      expect(html).toMatch(/<button type="submit"[^>]* disabled>Apply/);
    },
  );

  test.each([
    [{ proposed_bands: 'CRITICAL_HIGH -60' }],
    [{ proposed_bands: [] }],
    [{ proposed_bands: [...BANDS, 'and so on'] }],
    [{ proposed_bands: BANDS, channel: 7 }],
  ])('unusable: %j', async (result) => {
    await desk.completed(result);
    const html = await desk.read(desk.ada);
    expect(wordsOf(html)).toContain('The result has no usable list of bands');
    expect(html).toMatch(/<button type="submit"[^>]* disabled>Apply/);
  });

  test.each([
    ['One sentence.', '<li>One sentence.</li>'],
    [{ summary: 'cold' }, '<li>{&quot;summary&quot;:&quot;cold&quot;}</li>'],
    [42, '<li>42</li>'],
    [['a', 1], '<li>a</li><li>1</li>'],
  ])('reasoning that is %j', async (reasoning, shown) => {
    await desk.completed({ proposed_bands: BANDS, reasoning });
    expect(await desk.read(desk.vera)).toContain(shown);
  });

  test.each([[undefined], [[]], [''], [null]])('no reasoning: %j', async (reasoning) => {
    await desk.completed({ proposed_bands: BANDS, reasoning });
    expect(await desk.read(desk.vera)).not.toContain('Reasoning');
  });

  test.each([[undefined], ['good'], [{ current: {}, proposed: {} }]])('no backtest: %j', async (backtest) => {
    await desk.completed({ proposed_bands: BANDS, backtest });
    expect(await desk.read(desk.vera)).not.toContain('Backtest');
  });

  test('hostile texts are shown, not obeyed', async () => {
    const hostile = '"><script>alert(1)</script>';
    const shown = '&quot;>&lt;script>alert(1)&lt;/script>';
    const freezer = await createFreezer(server, desk, { name: hostile, label: hostile });
    await desk.completed({ proposed_bands: BANDS, reasoning: [hostile, { hostile }] }, freezer);
    const html = await desk.read(desk.ada, freezer);
    expect(html).toContain(`<li>${shown}</li>`);
    expect(html).toContain(`Limits of ${shown}`);
    expect(html).toContain(`hx-confirm="Replace limits of ${shown} with`);

    await desk.completed({ proposed_bands: BANDS, channel: hostile });
    expect(await desk.read(desk.ada)).toContain(`Limits of ${shown}`);
    await desk.failed(hostile);
    expect(await desk.read(desk.ada)).toContain(`Reason: ${shown}`);
  });
});

describe('the authorization failures, 200 too', () => {
  test('Not authorized: no role anywhere, whatever the service', async () => {
    for (const id of [desk.freezer.id, 2147483647]) {
      const path = desk.path('recommendation', id);
      expect(wordsOf(await expectFragment(await desk.nora.get(path)))).toBe('Not authorized');
      expect(wordsOf(await expectFragment(await anonymously(server, path)))).toBe('Not authorized');
    }
  });

  test('Service not found: no such service', async () => {
    for (const person of [desk.vera, desk.oscar, desk.ada, desk.olga]) {
      const answer = await person.get(desk.path('recommendation', 2147483647));
      expect(wordsOf(await expectFragment(answer))).toBe('Service not found');
    }
  });

  test('Service not found: outside the organizations', async () => {
    await desk.completed(RESULT);
    const html = await desk.read(desk.olga);
    expect(wordsOf(html)).toBe('Service not found');
    expect(html).not.toContain(desk.freezer.name);
  });

  test('Service not found: archived', async () => {
    await desk.completed(RESULT);
    await archive(server, desk.freezer);
    for (const person of [desk.vera, desk.ada, desk.olga]) {
      expect(wordsOf(await desk.read(person))).toBe('Service not found');
    }
  });
});

describe('the errors', () => {
  const ids = ['0', '-1', '+1', '2147483648', `1${'0'.repeat(400)}`, 'abc', '1.0', '1e3', '%201', ''];
  test.each(ids)('422: the id %j', async (id) => {
    const path = desk.path('recommendation', id);
    const input = decodeURIComponent(id);
    await expectField(await desk.vera.get(path), 'path', 'service_id', input);
    await expectField(await anonymously(server, path), 'path', 'service_id', input);
  });

  test('401 Could not validate credentials before everything else', async () => {
    const headers = { authorization: 'Bearer nonsense' };
    const answer = await anonymously(server, desk.path('recommendation', 'abc'), { headers });
    await expectDetail(answer, 401, 'Could not validate credentials');
  });

  test('the header HX-Request changes nothing', async () => {
    const path = desk.path('recommendation');
    const plain = await expectFragment(await desk.ada.get(path));
    expect(await expectFragment(await desk.ada.get(path, HX))).toBe(plain);
  });
});

describe('a page that polls reads the language of its reader, programs read English', () => {
  const poll = async () => expectFragment(await desk.ada.get(desk.path('recommendation'), HX));
  beforeEach(async () => {
    speakMadeUp(LONG);
    await server.db.query(sql`update account set language = ${LONG} where id = ${desk.ada.id}`);
  });

  test('nothing requested, pending', async () => {
    const find = await openFinder(server);
    expect(find(await poll())).toEqual([]);
    expect(wordsOf(await desk.read(desk.ada))).toContain('No recommendation has been requested.');
    await desk.recommend(desk.ada);
    expect(find(await poll())).toEqual([]);
  });

  test.each([
    'The service is archived.',
    'Temperature has only 12 usable readings; at least 200 are needed.',
    'The language model at 127.0.0.1:8080 failed (500). It was asked 3 times.',
    "The language model's answer cannot be used: it proposes no bands. It was asked 3 times.",
    'The analysis took longer than 60 seconds.',
  ])('failed: %s', async (reason) => {
    await desk.failed(reason);
    expect((await openFinder(server, ['Temperature']))(await poll())).toEqual([]);
    expect(wordsOf(await desk.read(desk.ada))).toContain(`Reason: ${reason}`);
  });

  test('completed, with what the advisor saw', async () => {
    const reasoning = [
      'Between 16 Oct and 15 Nov Temperature stayed between -81.2 and -78.4 °C for 99 % of the time (43200 readings).',
      'It spikes above the rest 12 times in 30 days, at no fixed time, as when a door is opened: typically for 4 min, at most for 2.5 h, as far as -62.5 °C.',
      'Critical above -60 °C once it lasts 15 min: normal spikes beyond it are over sooner.',
      'No low limits: the value cannot get there, or need not be watched there.',
    ];
    await desk.completed({ ...RESULT, reasoning });
    const find = await openFinder(server, ['Temperature']);
    expect(find(await poll())).toEqual([]);
    const plain = wordsOf(await desk.read(desk.ada));
    for (const sentence of reasoning) expect(plain).toContain(sentence);
  });
});
