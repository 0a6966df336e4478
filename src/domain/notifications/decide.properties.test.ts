// Whatever happens to a service, in whatever order: told by a story of random moves, one each minute.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Severity } from '../judging/severity.ts';
import { decide } from './decide.ts';
import { NOBODY_KNOWS, serviceOf } from './foretell.ts';
import type { Situation, ToldBefore, Waiting } from './situation.ts';

const RECIPIENT = { transport: 'email', recipient: 'vera@lab.example' } as const;
const PLAIN = serviceOf({
  id: 1,
  name: 'Cold team',
  ladder: {
    steps: [],
    targets: [{ step: 0, during: 'always', recipient: RECIPIENT, rotaId: null }],
    rotas: [],
    people: new Map(),
    hours: null,
    administrators: [],
    methods: new Map(),
  },
});
const REPEAT_MINUTES = 7;
const SERVICE = { ...PLAIN, settings: { ...PLAIN.settings, repeatIntervalMinutes: REPEAT_MINUTES } };
const DELAY_MINUTES = 3;

type Move = 'normal' | 'warning' | 'critical' | 'acknowledge' | 'unacknowledge' | 'mute' | 'unmute' | 'rest';
const move: fc.Arbitrary<Move> = fc.constantFrom(
  'normal',
  'warning',
  'critical',
  'acknowledge',
  'unacknowledge',
  'mute',
  'unmute',
  'rest',
  'rest',
  'rest',
);

interface Told {
  minute: number;
  severity: Severity;
  episode: number;
  isRepeat: boolean;
}

interface Minute {
  minute: number;
  severity: Severity;
  since: number;
  episode: number;
  isMuted: boolean;
  unmutedAt: number | null;
  isAcknowledged: boolean;
  told: Told[];
  lookAgainAt: Date | null;
}

const at = (minute: number) => new Date(minute * 60_000);

/** Looks every minute, as the clock does, whether or not it was asked to. */
function tellStory(moves: readonly Move[], delayMinutes: number): Minute[] {
  let severity: Severity = 'normal';
  let since = 0;
  let episode = 0;
  let isMuted = false;
  let unmutedAt: number | null = null;
  let acknowledged: ('warning' | 'critical')[] = [];
  const told: Told[] = [];
  let waiting: Waiting[] = [];
  return moves.map((step, minute) => {
    if (step === 'mute') isMuted = true;
    if (step === 'unmute' && isMuted) {
      isMuted = false;
      unmutedAt = minute;
    }
    if (step === 'acknowledge' && severity !== 'normal') acknowledged.push(severity);
    if (step === 'unacknowledge') acknowledged.pop();
    if ((step === 'normal' || step === 'warning' || step === 'critical') && step !== severity) {
      if (severity === 'normal') episode += 1;
      if (step === 'normal') acknowledged = [];
      severity = step;
      since = minute;
      const subject = step === 'normal' ? 'recovery' : step;
      waiting.push({ id: String(minute), subject, episodeId: String(episode), severity: step });
    }
    const situation: Situation = {
      ...SERVICE,
      severity,
      since: severity === 'normal' ? null : at(since),
      episodeId: severity === 'normal' ? null : String(episode),
      delayMinutes,
      mutedBy: isMuted ? 'Oscar' : null,
      suppressionEndedAt: unmutedAt === null ? null : at(unmutedAt),
      acknowledgements: acknowledged.map((one) => ({ severity: one, by: 'Vera' })),
      toldBefore: toldBeforeOf(told, severity === 'normal' ? null : episode),
      waiting,
    };
    const verdict = decide(situation, at(minute));
    const kept = new Set(verdict.standings.filter(({ state }) => state === 'waiting').map(({ id }) => id));
    waiting = waiting.filter(({ id }) => kept.has(id));
    const lastEpisode = told.at(-1)?.episode ?? 0;
    const now = verdict.notifications.map(({ subject, isRepeat }) => ({
      minute,
      severity: subject === 'recovery' ? ('normal' as const) : (subject as Severity),
      episode: subject === 'recovery' ? lastEpisode : episode,
      isRepeat,
    }));
    told.push(...now);
    const isAcknowledged = acknowledged.some((one) => one === severity || one === 'critical');
    return {
      minute,
      severity,
      since,
      episode,
      isMuted,
      unmutedAt,
      isAcknowledged,
      told: now,
      lookAgainAt: verdict.lookAgainAt,
    };
  });
}

function toldBeforeOf(told: readonly Told[], episode: number | null): ToldBefore {
  const topic = episode ?? told.at(-1)?.episode ?? null;
  const last = told.filter((one) => one.episode === topic).at(-1);
  const word = (one: Told) => ({
    ...RECIPIENT,
    groupId: 1,
    at: at(one.minute),
    isUnderWay: false,
    hasHeard: true,
    isRefused: false,
    step: 0,
    subject: one.severity === 'normal' ? ('recovery' as const) : one.severity,
  });
  return {
    ...NOBODY_KNOWS,
    alarm: {
      id: topic === null ? null : String(topic),
      isClosed: false,
      told: last ? [word(last)] : [],
    },
  };
}

const forEveryStory = (check: (story: Minute[], delayMinutes: number) => void) =>
  fc.assert(
    fc.property(
      fc.array(move, { minLength: 1, maxLength: 60 }),
      fc.constantFrom(0, DELAY_MINUTES),
      (moves, delay) => check(tellStory(moves, delay), delay),
    ),
    { numRuns: 200 },
  );

const notifications = (story: Minute[]) => story.flatMap(({ told }) => told);

test('the same state is not told twice in a row without the repeat interval between', () =>
  forEveryStory((story) => {
    const all = notifications(story);
    for (const [index, one] of all.entries()) {
      const before = all[index - 1];
      if (!before || before.severity !== one.severity || before.episode !== one.episode) continue;
      expect(one.isRepeat).toBe(true);
      expect(one.minute - before.minute).toBeGreaterThanOrEqual(REPEAT_MINUTES);
    }
  }));

test('nothing is told while muted', () =>
  forEveryStory((story) => {
    for (const { isMuted, told } of story) if (isMuted) expect(told).toEqual([]);
  }));

test('when a mute ends, at most one thing is told, and only what differs from what was told last', () =>
  forEveryStory((story) => {
    for (const [index, { minute, unmutedAt, told }] of story.entries()) {
      if (unmutedAt !== minute) continue;
      expect(told.length).toBeLessThanOrEqual(1);
      const [caughtUp] = told;
      const last = notifications(story.slice(0, index)).at(-1);
      if (!caughtUp) continue;
      expect(caughtUp.isRepeat).toBe(false);
      expect([caughtUp.severity, caughtUp.episode]).not.toEqual([last?.severity, last?.episode]);
    }
  }));

test("an escalation beyond what is acknowledged is told as soon as its own band's delay is over", () =>
  forEveryStory((story, delay) => {
    for (const one of story) {
      const isDue = one.severity === 'critical' && one.minute >= one.since + delay;
      if (!isDue || one.isMuted || one.isAcknowledged) continue;
      const last = notifications(story.slice(0, one.minute + 1)).at(-1);
      expect([last?.severity, last?.episode]).toEqual(['critical', one.episode]);
    }
  }));

test('nothing acknowledged at its severity or a higher one is told', () =>
  forEveryStory((story) => {
    for (const { isAcknowledged, severity, told } of story)
      if (isAcknowledged && severity !== 'normal') expect(told).toEqual([]);
  }));

test('a recovery is told only of an alarm that was told, and once', () =>
  forEveryStory((story) => {
    const all = notifications(story);
    for (const [index, { severity, episode }] of all.entries()) {
      if (severity !== 'normal') continue;
      const before = all[index - 1];
      expect(before).toMatchObject({ episode });
      expect(before?.severity).not.toBe('normal');
    }
  }));

test('an alarm that holds, unmuted and unacknowledged, is told or waits for its delay, and is looked at again in time', () =>
  forEveryStory((story, delay) => {
    for (const one of story) {
      if (one.severity === 'normal' || one.isMuted || one.isAcknowledged) continue;
      const last = notifications(story.slice(0, one.minute + 1)).at(-1);
      const isKnown = last?.severity === one.severity && last.episode === one.episode;
      const lookAgainAt = one.lookAgainAt?.getTime() ?? Number.POSITIVE_INFINITY;
      if (isKnown) expect(lookAgainAt).toBeLessThanOrEqual(at(one.minute + REPEAT_MINUTES).getTime());
      else expect(lookAgainAt).toBe(at(one.since + delay).getTime());
    }
  }));
