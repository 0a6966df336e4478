import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLlmAnswer } from './llm-answer.ts';

const GOOD = {
  proposed_bands: [
    { band: 'CRITICAL_HIGH', limit: -60, delay: 0, sustained: 15 },
    { band: 'WARNING_HIGH', limit: -70, delay: 5, sustained: 0 },
  ],
  reasoning: ['The door is opened twice a day.'],
};
const EXPECTED = { ok: true, value: { bands: GOOD.proposed_bands, reasoning: GOOD.reasoning } };
const good = JSON.stringify(GOOD);

describe('what can be used', () => {
  test.each([
    ['the object alone', good],
    ['in a code fence', `\`\`\`json\n${good}\n\`\`\``],
    ['in words', `Here you are: ${good} I hope this helps.`],
    ['after thoughts', `<think>Freezers are cold.</think>\n${good}`],
    ['with a channel of its own, which is not its to choose', JSON.stringify({ ...GOOD, channel: 'door' })],
    ['in percent, which is not its to choose', JSON.stringify({ ...GOOD, is_percentage: true })],
  ])('%s', (_, content) => expect(readLlmAnswer(content)).toEqual(EXPECTED));

  test('one sentence as text', () => {
    expect(readLlmAnswer(JSON.stringify({ ...GOOD, reasoning: 'Because.' }))).toMatchObject({
      value: { reasoning: ['Because.'] },
    });
  });

  test('long reasons are cut', () => {
    const reasoning = Array(50).fill('x'.repeat(2_000));
    const answer = readLlmAnswer(JSON.stringify({ ...GOOD, reasoning }));
    expect(answer.ok && answer.value.reasoning.map((sentence) => sentence.length)).toEqual(
      Array(12).fill(500),
    );
  });
});

const band = GOOD.proposed_bands[0];
const NOT_IN_ORDER = 'its bands are not a list of known bands with finite numbers, each once and in order';

describe('what cannot', () => {
  test.each([
    ['words', 'I would say minus sixty.', 'it is not a JSON object'],
    ['nothing', '{', 'it is not a JSON object'],
    ['a list', JSON.stringify([1]), 'it is not a JSON object'],
    ['no bands', '{}', 'it proposes no bands'],
    ['an empty list', JSON.stringify({ ...GOOD, proposed_bands: [] }), NOT_IN_ORDER],
    [
      'an unknown band',
      JSON.stringify({ ...GOOD, proposed_bands: [{ ...band, band: 'HIGH' }] }),
      NOT_IN_ORDER,
    ],
    [
      'a limit as text',
      JSON.stringify({ ...GOOD, proposed_bands: [{ ...band, limit: '-60' }] }),
      NOT_IN_ORDER,
    ],
    ['an infinite limit', good.replace('-60', '1e999'), NOT_IN_ORDER],
    ['a negative time', JSON.stringify({ ...GOOD, proposed_bands: [{ ...band, delay: -1 }] }), NOT_IN_ORDER],
    ['a band twice', JSON.stringify({ ...GOOD, proposed_bands: [band, band] }), NOT_IN_ORDER],
    ['warning beyond critical', good.replace('-70', '-50'), NOT_IN_ORDER],
    ['no reasons', JSON.stringify({ ...GOOD, reasoning: [' ', 7] }), 'it gives no reasons'],
  ])('%s', (_, content, refusal) => expect(readLlmAnswer(content)).toEqual({ ok: false, refusal }));
});

test('whatever it writes, reading never throws', () => {
  const content = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((text) => `\`\`\`\n${text}\n\`\`\``),
  );
  fc.assert(fc.property(content, (text) => typeof readLlmAnswer(text).ok === 'boolean'));
});
