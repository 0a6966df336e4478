// Any night on a ladder of three steps, minute by minute, held against a model that is written from the sentences on steps.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from './decide.ts';
import { serviceOf } from './foretell.ts';
import type { Ladder } from './ladder.ts';
import type { Climbed, Failed, Situation, ToldBefore } from './situation.ts';

type Move = 'acknowledge' | 'unacknowledge' | 'expire' | 'mute' | 'unmute' | 'rise' | 'recover' | 'rest';
type Level = 'warning' | 'critical';
const AFTER = [0, 4, 9];
const person = (step: number) => ({ transport: 'email', recipient: `step${step}@lab.example` }) as const;
const at = (minute: number) => new Date(minute * 60_000);

/** What becomes of messages to who stands on a step; `empty`: nobody does, `lost`: its provider gives them up. */
type Fate = 'arrives' | 'empty' | 'refused' | 'lost';
const isDead = (fate: Fate | undefined) => fate === 'refused' || fate === 'lost';
const LOST_AGAIN_AFTER = 15;
const PATIENCE = 5;

const ladderOf = (fates: readonly Fate[]): Ladder => ({
  steps: AFTER.slice(1).map((afterMinutes, index) => ({
    step: index + 1,
    afterMinutes,
    subjects: ['critical', 'warning'],
  })),
  targets: AFTER.flatMap((_, step) =>
    fates[step] === 'empty'
      ? []
      : [{ step, during: 'always' as const, recipient: person(step), rotaId: null }],
  ),
  rotas: [],
  people: new Map(),
  hours: null,
  administrators: [{ transport: 'email', recipient: 'ada@lab.example' }],
  methods: new Map(),
});

interface Minute {
  told: string[];
  opened: number[];
}

function tellStory(moves: readonly Move[], fates: readonly Fate[], delayMinutes: number): Minute[] {
  const opened: Climbed['opened'][number][] = [];
  const ends: { severity: Level; at: Date }[] = [];
  const words = new Map<
    string,
    { minute: number; step: number; severity: Level | 'normal'; isRefused: boolean }
  >();
  const failed = new Map<string, Failed>();
  let severity: Level | 'normal' = 'warning';
  let since = 0;
  let acknowledged: Level | null = null;
  let isMuted = false;
  let unmutedAt: number | null = null;
  return moves.map((move, minute) => {
    if (move === 'acknowledge' && severity !== 'normal') acknowledged = severity;
    if ((move === 'unacknowledge' || move === 'expire') && acknowledged) {
      ends.push({ severity: acknowledged, at: at(minute) });
      acknowledged = null;
    }
    if (move === 'rise' && severity === 'warning') {
      severity = 'critical';
      since = minute;
    }
    if (move === 'recover') {
      severity = 'normal';
      acknowledged = null;
    }
    if (move === 'mute') isMuted = true;
    if (move === 'unmute' && isMuted) {
      isMuted = false;
      unmutedAt = minute;
    }
    const toldBefore: ToldBefore = {
      alarm: {
        id: '1',
        isClosed: false,
        told: [...words].map(([recipient, word]) => ({
          transport: 'email',
          recipient,
          groupId: 1,
          at: at(word.minute),
          isUnderWay: word.isRefused,
          hasHeard: !word.isRefused,
          isRefused: word.isRefused,
          subject: word.severity === 'normal' ? 'recovery' : word.severity,
          step: word.step,
        })),
      },
      stale: { id: null, isClosed: false, told: [] },
      failed: [...failed.values()],
    };
    const situation: Situation = {
      ...serviceOf({ id: 1, name: 'Cold team', ladder: ladderOf(fates) }),
      severity,
      since: severity === 'normal' ? null : at(since),
      episodeId: severity === 'normal' ? null : '1',
      delayMinutes,
      mutedBy: isMuted ? 'Oscar' : null,
      suppressionEndedAt: unmutedAt === null ? null : at(unmutedAt),
      acknowledgements: acknowledged ? [{ severity: acknowledged, by: 'Vera' }] : [],
      climbed: { opened, acknowledgementEnds: ends, passedOn: null },
      toldBefore,
    };
    const verdict = decide(situation, at(minute));
    opened.push(...verdict.opens);
    const recipients = verdict.notifications.flatMap((one) => one.recipients);
    for (const { recipient, step } of recipients) {
      if (fates[step] === 'lost' && severity !== 'normal')
        failed.set(recipient, {
          transport: 'email',
          recipient,
          topicId: '1',
          subject: severity,
          step,
          at: at(minute),
          isLost: true,
        });
      else words.set(recipient, { minute, step, severity, isRefused: fates[step] === 'refused' });
    }
    return {
      told: recipients.map(({ recipient }) => recipient),
      opened: verdict.opens.map(({ step }) => step),
    };
  });
}

/** The same from the sentences, without the policy: a climb is what lies between two interruptions. */
function model(moves: readonly Move[], fates: readonly Fate[], delay: number): Minute[] {
  let level: Level | 'over' = 'warning';
  let acknowledged: Level | null = null;
  let isMuted = false;
  let firstDue = delay;
  let anchor = delay;
  let open: { step: number; minute: number; wasTold: boolean }[] = [];
  let known = new Set<number>();
  let heard = new Set<string>();
  let hasArrived = false;
  const lostAt = new Map<number, number>();
  const covers = () => acknowledged === level || acknowledged === 'critical';
  const beginAnew = (minute: number) => {
    anchor = Math.max(firstDue, minute);
    open = [];
  };
  return moves.map((move, minute) => {
    const result: Minute = { told: [], opened: [] };
    if (move === 'acknowledge' && level !== 'over') acknowledged = level;
    if (move === 'mute') isMuted = true;
    if ((move === 'unacknowledge' || move === 'expire') && acknowledged) {
      const didCover = covers();
      acknowledged = null;
      if (didCover) beginAnew(minute);
    }
    if (move === 'unmute' && isMuted) {
      isMuted = false;
      beginAnew(minute);
    }
    if (move === 'rise' && level === 'warning') {
      level = 'critical';
      firstDue = minute + delay;
      anchor = Math.max(anchor, firstDue);
      open = [];
      known = new Set();
      hasArrived = false;
      lostAt.clear();
    }
    if (move === 'recover') level = 'over';
    if (isMuted) return result;
    if (level === 'over') {
      // Everybody who was told, once.
      result.told.push(...heard);
      heard = new Set();
      return result;
    }
    if (covers()) return result;
    const tell = (step: number) => {
      result.told.push(person(step).recipient);
      if (fates[step] === 'lost') lostAt.set(step, minute);
      else known.add(step);
      if (fates[step] !== 'arrives') return;
      heard.add(person(step).recipient);
      hasArrived = true;
    };
    /** Told in this climb, and it is known by now that it did not arrive. */
    const hasFailed = (one: { step: number; minute: number; wasTold: boolean }) =>
      one.wasTold && isDead(fates[one.step]) && one.minute < minute;
    const isLost = (one: (typeof open)[number]) => fates[one.step] === 'empty' || hasFailed(one);
    for (;;) {
      const last = open.at(-1);
      const next = last ? last.step + 1 : 0;
      if (next > 2) break;
      const due = last
        ? isLost(last)
          ? last.minute
          : last.minute + (AFTER[next] ?? 0) - (AFTER[last.step] ?? 0)
        : anchor;
      if (due > minute) break;
      const isSpared = next === 0 && minute < (lostAt.get(0) ?? Number.NEGATIVE_INFINITY) + LOST_AGAIN_AFTER;
      const isKnown = next === 0 ? known.has(0) : fates[next] === 'refused' && known.has(next);
      const wasTold = fates[next] !== 'empty' && !isKnown && !isSpared;
      open.push({ step: next, minute, wasTold });
      result.opened.push(next);
      if (wasTold) tell(next);
    }
    for (const one of open) {
      const at = lostAt.get(one.step);
      if (at === undefined || minute < at + LOST_AGAIN_AFTER || one.step > 2) continue;
      tell(one.step);
      one.wasTold = true;
    }
    const last = open.at(-1);
    if (last?.step === 2 && !hasArrived) {
      const nobody = fates.every((fate) => fate === 'empty');
      const isOver = last.minute + PATIENCE <= minute;
      if (nobody || isLost(last) || isOver) {
        open.push({ step: 9, minute, wasTold: true });
        result.opened.push(9);
        result.told.push('ada@lab.example');
        heard.add('ada@lab.example');
      }
    }
    return result;
  });
}

const anyMove = fc.constantFrom<Move>(
  'acknowledge',
  'unacknowledge',
  'mute',
  'unmute',
  'unacknowledge',
  'expire',
  'unmute',
  'rise',
  'recover',
  ...Array.from({ length: 14 }, () => 'rest' as const),
);

/** In which order people are told in the same minute says nothing. */
const inOrder = (night: readonly Minute[]) => night.map((one) => ({ ...one, told: [...one.told].sort() }));

test('every minute of any night opens and tells what the model says', () =>
  fc.assert(
    fc.property(
      fc.array(anyMove, { minLength: 1, maxLength: 60, size: 'max' }),
      fc.array(fc.constantFrom<Fate>('arrives', 'arrives', 'empty', 'refused', 'lost'), {
        minLength: 3,
        maxLength: 3,
      }),
      fc.constantFrom(0, 3),
      (moves, fates, delay) => {
        expect(inOrder(tellStory(moves, fates, delay))).toEqual(inOrder(model(moves, fates, delay)));
      },
    ),
    { numRuns: 400 },
  ));
