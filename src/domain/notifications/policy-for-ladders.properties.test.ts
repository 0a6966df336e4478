// Any night on a ladder of three steps, minute by minute, held against a model that is written from the sentences on steps.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StandingLadder } from '../on-call/ladder.ts';
import { decideNotifications } from './notification-policy.ts';
import type { Climbed, CurrentState, ToldBefore } from './policy-input.ts';

type Move = 'acknowledge' | 'unacknowledge' | 'mute' | 'unmute' | 'rest';
const AFTER = [0, 4, 9];
const person = (step: number) => ({ transport: 'email', recipient: `step${step}@lab.example` }) as const;
const at = (minute: number) => new Date(minute * 60_000);

const ladderOf = (empty: readonly number[]): StandingLadder => ({
  steps: AFTER.map((afterMinutes, step) => ({
    step,
    afterMinutes,
    kinds: ['critical'],
    recipients: empty.includes(step) ? [] : [person(step)],
  })),
  administrators: [{ transport: 'email', recipient: 'ada@lab.example' }],
  nextChangeAt: null,
});

interface Minute {
  told: string[];
  opened: number[];
}

function tellStory(moves: readonly Move[], empty: readonly number[], delayMinutes: number): Minute[] {
  const opened: Climbed['opened'][number][] = [];
  const ends: { severity: 'critical'; at: Date }[] = [];
  const words = new Map<string, { minute: number; step: number }>();
  let isAcknowledged = false;
  let isMuted = false;
  let unmutedAt: number | null = null;
  return moves.map((move, minute) => {
    if (move === 'acknowledge') isAcknowledged = true;
    if (move === 'unacknowledge' && isAcknowledged) {
      isAcknowledged = false;
      ends.push({ severity: 'critical', at: at(minute) });
    }
    if (move === 'mute') isMuted = true;
    if (move === 'unmute' && isMuted) {
      isMuted = false;
      unmutedAt = minute;
    }
    const ladder = ladderOf(empty);
    const current: CurrentState = {
      isArchived: false,
      severity: 'critical',
      since: at(0),
      episodeId: '1',
      delayMinutes,
      stale: null,
      settings: {
        sendCritical: true,
        sendWarning: true,
        sendAcknowledgements: true,
        sendRecoveries: true,
        repeatIntervalMinutes: 0,
        enableSystemNotifications: true,
        systemNotificationDelayMinutes: 0,
      },
      group: { id: 1, name: 'Cold team', recipients: ladder.steps[0]?.recipients ?? [], ladder },
      suppression: isMuted ? { reason: 'Muted by Oscar', until: null } : null,
      suppressionEndedAt: unmutedAt === null ? null : at(unmutedAt),
      acknowledgements: isAcknowledged ? [{ severity: 'critical', by: 'Vera' }] : [],
      climbed: { opened, acknowledgementEnds: ends },
    };
    const toldBefore: ToldBefore = {
      alarm: {
        episodeId: '1',
        isClosed: false,
        told: [...words].map(([recipient, word]) => ({
          transport: 'email',
          recipient,
          groupId: 1,
          at: at(word.minute),
          isUnderWay: false,
          hasHeard: true,
          severity: 'critical',
          step: word.step,
        })),
      },
      stale: { id: null, isClosed: false, told: [] },
    };
    const verdict = decideNotifications(current, toldBefore, [], at(minute));
    opened.push(...verdict.opens);
    const recipients = verdict.notifications.flatMap((one) => one.recipients);
    for (const { recipient, step = 0 } of recipients) words.set(recipient, { minute, step });
    return {
      told: recipients.map(({ recipient }) => recipient),
      opened: verdict.opens.map(({ step }) => step),
    };
  });
}

/** The same from the sentences, without the policy: a climb is what lies between two interruptions. */
function model(moves: readonly Move[], empty: readonly number[], delay: number): Minute[] {
  let isAcknowledged = false;
  let isMuted = false;
  let anchor = delay;
  let open: { step: number; minute: number }[] = [];
  const known = new Set<number>();
  return moves.map((move, minute) => {
    if (move === 'acknowledge') isAcknowledged = true;
    if (move === 'mute') isMuted = true;
    const isBack = (move === 'unacknowledge' && isAcknowledged) || (move === 'unmute' && isMuted);
    if (move === 'unacknowledge') isAcknowledged = false;
    if (move === 'unmute') isMuted = false;
    if (isBack) {
      anchor = Math.max(delay, minute);
      open = [];
    }
    const result: Minute = { told: [], opened: [] };
    if (isAcknowledged || isMuted) return result;
    const isLost = () => open.length > 0 && empty.includes(open.at(-1)?.step ?? 0);
    for (;;) {
      const last = open.at(-1);
      const next = last ? last.step + 1 : 0;
      if (next > 2) break;
      const due = last
        ? isLost()
          ? last.minute
          : last.minute + (AFTER[next] ?? 0) - (AFTER[last.step] ?? 0)
        : anchor;
      if (due > minute) break;
      open.push({ step: next, minute });
      result.opened.push(next);
      if (empty.includes(next)) continue;
      if (next > 0 || !known.has(0)) result.told.push(person(next).recipient);
      known.add(next);
    }
    if (empty.length === 3 && open.length === 3) {
      open.push({ step: 9, minute });
      result.opened.push(9);
      result.told.push('ada@lab.example');
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
  'unmute',
  ...Array.from({ length: 14 }, () => 'rest' as const),
);

test('every minute of any night opens and tells what the model says', () =>
  fc.assert(
    fc.property(
      fc.array(anyMove, { minLength: 1, maxLength: 60, size: 'max' }),
      fc.subarray([0, 1, 2]),
      fc.constantFrom(0, 3),
      (moves, empty, delay) => {
        expect(tellStory(moves, empty, delay)).toEqual(model(moves, empty, delay));
      },
    ),
    { numRuns: 400 },
  ));
