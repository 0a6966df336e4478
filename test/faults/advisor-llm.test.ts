// The language model as it is met in the world: slow, busy, confused, gone. Every way ends in limits or in a reason.
import { describe, expect, test } from 'vitest';
import { consultLlm } from '../../src/engine/advice/consult-llm.ts';
import type { LlmCase } from '../../src/engine/advice/llm-prompt.ts';
import type { LlmConfig } from '../../src/platform/config.ts';
import {
  breaksOff,
  completes,
  findClosedAddress,
  neverAnswers,
  neverStops,
  says,
  sends,
  showsPage,
  startLlmServer,
  trickles,
} from '../support/llm-server.ts';

const KEY = 'sk-very-secret-indeed';
const BANDS = [
  { band: 'CRITICAL_HIGH', limit: -60, delay: 0, sustained: 15 },
  { band: 'WARNING_HIGH', limit: -70, delay: 5, sustained: 30 },
];
const GOOD = { proposed_bands: BANDS, reasoning: ['The door is opened twice a day.'] };
const good = says(JSON.stringify(GOOD));
const ANSWER = { ok: true, value: { bands: BANDS, reasoning: GOOD.reasoning } };

const CASE: LlmCase = {
  serviceName: 'Freezer 3',
  channel: 'temperature',
  label: 'Temperature',
  unit: '°C',
  current: {
    versionId: 1,
    isPercentage: false,
    setpointChannel: null,
    stateChannel: null,
    bands: [{ band: 'CRITICAL_HIGH', limit: -50, sustainedMs: 600_000 }],
  },
  summary: { readings: 43_200 },
  proposal: { bands: [], reasoning: ['Steady.'] },
};

async function consult(url: URL, settings: Partial<LlmConfig> = {}, signal?: AbortSignal) {
  const pauses: number[] = [];
  const llm = { url, key: KEY, model: 'small', timeoutSeconds: 5, ...settings };
  const outcome = await consultLlm(
    {
      llm,
      signal: signal ?? new AbortController().signal,
      pause: async (ms) => void pauses.push(ms),
    },
    CASE,
  );
  expect(JSON.stringify(outcome)).not.toContain(KEY);
  return { outcome, pauses };
}

/** The reason, with the address as people read it. */
const failing = (url: URL, reason: string) => ({ ok: false, refusal: reason.replace('HOST', url.host) });
const THRICE = ' It was asked 3 times.';

describe('the question', () => {
  test('goes to chat/completions with model, key, schema, figures and limits', async () => {
    const { url, asked } = await startLlmServer(good);
    expect((await consult(url)).outcome).toEqual(ANSWER);

    expect(asked).toHaveLength(1);
    const [{ path, headers, body } = {} as never] = asked;
    expect(path).toBe('POST /v1/chat/completions');
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    expect(body.model).toBe('small');
    expect(body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { strict: true, schema: { required: ['proposed_bands', 'reasoning'] } },
    });
    expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(JSON.parse(body.messages[1]?.content ?? '')).toMatchObject({
      service: 'Freezer 3',
      channel: 'temperature',
      unit: '°C',
      limits_in_force: { bands: [{ band: 'CRITICAL_HIGH', limit: -50, sustained: 10 }] },
      statistics: { readings: 43_200 },
      statistical_proposal: { reasoning: ['Steady.'] },
    });
    expect(JSON.stringify(body)).not.toContain(KEY);
  });

  test('carries no authorization without a key; a slash at the end and a query stay harmless', async () => {
    const { url, asked } = await startLlmServer(good);
    await consult(new URL(`${url}/?api-version=1`), { key: null });
    expect(asked[0]?.path).toBe('POST /v1/chat/completions?api-version=1');
    expect(asked[0]?.headers.authorization).toBeUndefined();
  });
});

describe('answers', () => {
  test('in a code fence', async () => {
    const { url } = await startLlmServer(says(`\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\``));
    expect((await consult(url)).outcome).toEqual(ANSWER);
  });

  test('garbage, then a good one: it was told what was wrong', async () => {
    const { url, asked } = await startLlmServer(says('About minus sixty, I suppose.'), good);
    expect(await consult(url)).toEqual({ outcome: ANSWER, pauses: [] });
    expect(asked[1]?.body.messages.at(-1)?.content).toContain('it is not a JSON object');
  });

  test.each([
    ['garbage', says('About minus sixty, I suppose.'), 'it is not a JSON object'],
    ['another schema', says('{"limits": {"high": -60}}'), 'it proposes no bands'],
    [
      'bands out of order',
      says(JSON.stringify({ ...GOOD, proposed_bands: [BANDS[0], { ...BANDS[1], limit: -10 }] })),
      'its bands are not a list of known bands with finite numbers, each once and in order',
    ],
  ])('always %s', async (_, answer, fault) => {
    const { url, asked } = await startLlmServer(answer);
    const reason = `The language model's answer cannot be used: ${fault}.${THRICE}`;
    expect((await consult(url)).outcome).toEqual(failing(url, reason));
    expect(asked).toHaveLength(3);
  });

  const EMPTY = `The language model at HOST sent an answer without content.${THRICE}`;
  test.each([
    ['no choices', sends(200, { choices: [] }), EMPTY],
    ['choices that are none', sends(200, { choices: 'many' }), EMPTY],
    ['no object', sends(200, 'hello'), EMPTY],
    ['null', sends(200, null), EMPTY],
    ['nothing but nulls', sends(200, { choices: [null] }), EMPTY],
    ['content that is no text', completes({ content: [{ type: 'text', text: '{}' }] }), EMPTY],
    ['a page', showsPage(200), EMPTY],
    ['a page of a broken proxy', showsPage(502), `The language model at HOST failed (502).${THRICE}`],
    ['no content', completes({ content: null }), EMPTY],
    [
      'half an answer',
      completes({ content: '{"proposed_bands": [' }, 'length'),
      `The language model at HOST broke its answer off.${THRICE}`,
    ],
    [
      'a connection that breaks',
      breaksOff,
      `The language model at HOST could not be reached (UND_ERR_SOCKET).${THRICE}`,
    ],
  ])('%s', async (_, answer, reason) => {
    const { url, asked } = await startLlmServer(answer);
    expect(await consult(url)).toEqual({ outcome: failing(url, reason), pauses: [2_000, 8_000] });
    expect(asked).toHaveLength(3);
  });

  test.each([
    [
      'a refusal',
      completes({ content: null, refusal: `I cannot\nhelp with ${KEY}.` }),
      'The language model at HOST declined: I cannot help with ….',
    ],
    ['one without an end', neverStops, 'The language model at HOST sent more than 1 MB.'],
  ])('%s ends it at once', async (_, answer, reason) => {
    const { url, asked } = await startLlmServer(answer);
    expect(await consult(url)).toEqual({ outcome: failing(url, reason), pauses: [] });
    expect(asked).toHaveLength(1);
  });
});

describe('statuses', () => {
  test.each([
    [
      401,
      { error: { message: `Incorrect API key provided: ${KEY}` } },
      {},
      'The language model at HOST did not accept the key (401). Check TOCSIN_LLM_KEY.',
    ],
    [403, {}, {}, 'The language model at HOST did not accept the key (403). Check TOCSIN_LLM_KEY.'],
    [
      404,
      { error: { message: 'The model small does not exist' } },
      {},
      'The language model at HOST answered 404: The model small does not exist',
    ],
    [
      307,
      {},
      { location: 'http://127.0.0.1:1/elsewhere' },
      'The language model at HOST sends requests to another address. Set TOCSIN_LLM_URL to that one.',
    ],
    [
      429,
      {},
      { 'retry-after': '3600' },
      'The language model at HOST takes no more questions (429). It asks to wait 3600 seconds.',
    ],
  ])('%i ends it at once', async (status, body, headers, reason) => {
    const { url, asked } = await startLlmServer(sends(status, body, headers as Record<string, string>));
    expect(await consult(url)).toEqual({ outcome: failing(url, reason), pauses: [] });
    expect(asked).toHaveLength(1);
  });

  test('429 with Retry-After, then a good answer', async () => {
    const { url } = await startLlmServer(sends(429, {}, { 'retry-after': '7' }), good);
    expect(await consult(url)).toEqual({ outcome: ANSWER, pauses: [7_000] });
  });

  test('Retry-After as a date counts from the Date of the same answer', async () => {
    const headers = { date: 'Mon, 16 Nov 2026 03:00:00 GMT', 'retry-after': 'Mon, 16 Nov 2026 03:00:09 GMT' };
    const { url } = await startLlmServer(sends(503, {}, headers), good);
    expect(await consult(url)).toEqual({ outcome: ANSWER, pauses: [9_000] });
  });

  test('a key that is repeated in the reasons is left out', async () => {
    const { url } = await startLlmServer(
      says(JSON.stringify({ ...GOOD, reasoning: [`Asked with ${KEY}.`] })),
    );
    const { outcome } = await consult(url);
    expect(outcome).toEqual({ ok: true, value: { bands: BANDS, reasoning: ['Asked with ….'] } });
  });

  test('500, then 503, then a good answer', async () => {
    const { url, asked } = await startLlmServer(
      sends(500, {}),
      sends(503, {}, { 'retry-after': 'soon' }),
      good,
    );
    expect(await consult(url)).toEqual({ outcome: ANSWER, pauses: [2_000, 8_000] });
    expect(asked).toHaveLength(3);
  });

  test('always 500', async () => {
    const { url, asked } = await startLlmServer(sends(500, 'oops'));
    expect(await consult(url)).toEqual({
      outcome: failing(url, `The language model at HOST failed (500).${THRICE}`),
      pauses: [2_000, 8_000],
    });
    expect(asked).toHaveLength(3);
  });

  test('400 to a schema: asked again without one', async () => {
    const { url, asked } = await startLlmServer(
      sends(400, { error: { message: 'no json_schema here' } }),
      good,
    );
    expect(await consult(url)).toEqual({ outcome: ANSWER, pauses: [] });
    expect(asked.map(({ body }) => 'response_format' in body)).toEqual([true, false]);
  });

  test('always 400', async () => {
    const { url } = await startLlmServer(sends(400, { error: { message: 'no' } }));
    expect((await consult(url)).outcome).toEqual(failing(url, 'The language model at HOST answered 400: no'));
  });
});

describe('nobody there', () => {
  test('no answer, and one that only trickles', async () => {
    const reason = `The language model at HOST gave no answer within 1 s.${THRICE}`;
    const waited = [neverAnswers, trickles].map(async (answer) => {
      const { url, asked } = await startLlmServer(answer);
      expect((await consult(url, { timeoutSeconds: 1 })).outcome).toEqual(failing(url, reason));
      expect(asked).toHaveLength(3);
    });
    await Promise.all(waited);
  });

  test('connection refused', async () => {
    const url = await findClosedAddress();
    const reason = `The language model at HOST could not be reached (ECONNREFUSED).${THRICE}`;
    expect((await consult(url)).outcome).toEqual(failing(url, reason));
  });

  test('a program that stops does not wait for the answer', async () => {
    const { url } = await startLlmServer(neverAnswers);
    await expect(consult(url, { timeoutSeconds: 300 }, AbortSignal.timeout(50))).rejects.toThrow();
  });
});
