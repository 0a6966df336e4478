import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findLimitsFault } from '../judging/limits.ts';
import { readProposal } from './proposed-bands.ts';

const BAND = { band: 'CRITICAL_HIGH', limit: -60, delay: 0, sustained: 5 };
const READ = { band: 'CRITICAL_HIGH', limit: -60, delayMinutes: 0, sustainedMinutes: 5 };
const read = (result: object) => readProposal(result);
const propose = (...bands: unknown[]) => readProposal({ proposed_bands: bands });

test('a whole result', () => {
  expect(
    read({
      channel: 'temperature',
      is_percentage: false,
      proposed_bands: [BAND, { band: 'WARNING_LOW', limit: -90.5, delay: 1.5, sustained: 0 }],
      reasoning: 'because',
    }),
  ).toEqual({
    channel: { name: 'temperature' },
    isPercentage: false,
    setpointChannel: null,
    stateChannel: null,
    bands: [READ, { band: 'WARNING_LOW', limit: -90.5, delayMinutes: 1.5, sustainedMinutes: 0 }],
  });
});

describe('bands', () => {
  test.each([[{}], [{ proposed_bands: null }], [{ bands: [BAND] }]])('missing: %j', (result) => {
    expect(read(result)).toBe('missing');
  });

  test.each([
    ['an empty list', []],
    ['a text', 'CRITICAL_HIGH: -60'],
    ['an object', { CRITICAL_HIGH: -60 }],
    ['a number', 7],
    ['false', false],
  ])('unusable: %s', (_, proposed_bands) => {
    expect(read({ proposed_bands })).toBe('unusable');
  });

  test.each([
    ['text', 'CRITICAL_HIGH'],
    ['null', null],
    ['a list', [BAND]],
    ['no name', { limit: 1 }],
    ['an unknown name', { ...BAND, band: 'CRIT_HIGH' }],
    ['a name in small letters', { ...BAND, band: 'critical_high' }],
    ['no limit', { band: 'WARNING_LOW', delay: 1 }],
    ['a limit of null', { ...BAND, limit: null }],
    ['a limit in quotes', { ...BAND, limit: '-60' }],
    ['an infinite limit', { ...BAND, limit: JSON.parse('1e999') }],
    ['a negative delay', { ...BAND, delay: -1 }],
    ['a delay in quotes', { ...BAND, delay: '1' }],
    ['a negative sustained time', { ...BAND, sustained: -0.5 }],
    ['a sustained time of ages', { ...BAND, sustained: 2_147_483_648 }],
    ['a sustained time of true', { ...BAND, sustained: true }],
  ])('unusable, alone and beside a valid one: %s', (_, band) => {
    expect(propose(band)).toBe('unusable');
    expect(propose({ ...BAND, band: 'WARNING_HIGH', limit: -65 }, band)).toBe('unusable');
  });

  test('unusable: the same band twice', () => {
    expect(propose(BAND, { ...BAND, limit: -50 })).toBe('unusable');
  });

  test('unusable: bands that contradict each other', () => {
    const warning = { band: 'WARNING_HIGH', limit: -50 };
    expect(propose(BAND, warning)).toBe('unusable');
    expect(propose(BAND, { band: 'WARNING_LOW', limit: -60 })).toBe('unusable');
    expect(read({ is_percentage: true, proposed_bands: [BAND, warning] })).toBe('unusable');
  });

  test('times that are left out are none; a limit of 0 is a limit', () => {
    const bare = { band: 'CRITICAL_LOW', limit: 0, delayMinutes: 0, sustainedMinutes: 0 };
    expect(propose({ band: 'CRITICAL_LOW', limit: 0 })).toMatchObject({ bands: [bare] });
    expect(propose({ band: 'CRITICAL_LOW', limit: 0, delay: null })).toMatchObject({ bands: [bare] });
  });
});

describe('the channel', () => {
  test.each<[unknown, unknown]>([
    [undefined, 'main'],
    [null, 'main'],
    ['', 'main'],
    [' ', 'main'],
    ['default', 'service-wide'],
    ['main', { name: 'main' }],
    [' temperature', { name: ' temperature' }],
  ])('%j is read as %j', (channel, expected) => {
    expect(read({ channel, proposed_bands: [BAND] })).toMatchObject({ channel: expected });
  });

  test.each([[7], [true], [['temperature']], [{}], ['a\0b'], ['\ud800'], ['x'.repeat(201)]])(
    'unusable: %j, which can be no channel',
    (channel) => {
      expect(read({ channel, proposed_bands: [BAND] })).toBe('unusable');
    },
  );
});

describe('percentage mode', () => {
  const related = { setpoint_channel: 'setpoint', state_channel: 'running' };

  test('only true switches it on; then the related channels count', () => {
    expect(read({ is_percentage: true, ...related, proposed_bands: [BAND] })).toMatchObject({
      isPercentage: true,
      setpointChannel: 'setpoint',
      stateChannel: 'running',
    });
  });

  test.each([[1], ['true'], [null], [undefined]])('%j leaves it off', (is_percentage) => {
    expect(read({ is_percentage, ...related, proposed_bands: [BAND] })).toMatchObject({
      isPercentage: false,
      setpointChannel: null,
      stateChannel: null,
    });
  });

  test('related channels that are none are left open', () => {
    const odd = { is_percentage: true, setpoint_channel: 7, state_channel: ' ' };
    expect(read({ ...odd, proposed_bands: [BAND] })).toMatchObject({
      setpointChannel: null,
      stateChannel: null,
    });
  });
});

test('any JSON object is read without a throw, and what is usable is in order', () => {
  const number = fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: -100, max: 100 }));
  const band = fc.record(
    {
      band: fc.constantFrom('CRITICAL_HIGH', 'CRITICAL_LOW', 'WARNING_HIGH', 'WARNING_LOW', 'X'),
      limit: fc.oneof({ weight: 9, arbitrary: number }, fc.jsonValue()),
      delay: fc.oneof({ weight: 9, arbitrary: number }, fc.jsonValue()),
      sustained: fc.nat(60),
    },
    { requiredKeys: ['band', 'limit'] },
  );
  const result = fc.record(
    {
      proposed_bands: fc.oneof({ weight: 3, arbitrary: fc.array(band, { maxLength: 4 }) }, fc.jsonValue()),
      channel: fc.jsonValue(),
      is_percentage: fc.oneof(fc.boolean(), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(result, fc.dictionary(fc.string(), fc.jsonValue())), (object) => {
      const proposal = readProposal(object);
      if (typeof proposal === 'string') return;
      expect(findLimitsFault(proposal)).toBeNull();
      expect(proposal.bands.every(({ limit }) => Number.isFinite(limit))).toBe(true);
    }),
  );
});
