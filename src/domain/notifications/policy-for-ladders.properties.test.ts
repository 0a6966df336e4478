// Any night on a ladder of three steps, minute by minute, held against a model that is written from the sentences on steps.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StandingLadder } from '../on-call/ladder.ts';
import { decideNotifications } from './notification-policy.ts';
import type { Climbed, CurrentState, ToldBefore } from './policy-input.ts';

type Move = 'acknowledge' | 'unacknowledge' | 'expire' | 'mute' | 'unmute' | 'rise' | 'recover' | 'rest';
type Level = 'warning' | 'critical';
const AFTER = [0, 4, 9];
const person = (step: number) => ({ transport: 'email', recipient: `step${step}@lab.example` }) as const;
const at = (minute: number) => new Date(minute * 60_000);

const ladderOf = (empty: readonly number[]): StandingLadder => ({
  steps: AFTER.map((afterMinutes, step) => ({
    step,
    afterMinutes,
    kinds: ['critical', 'warning'],
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
  const ends: { severity: Level; at: Date }[] = [];
  const words = new Map<string, { minute: number; step: number; severity: Level | 'normal' }>();
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
    const ladder = ladderOf(empty);
    const current: CurrentState = {
      isArchived: false,
      severity,
      since: severity === 'normal' ? null : at(since),
      episodeId: severity === 'normal' ? null : '1',
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
      acknowledgements: acknowledged ? [{ severity: acknowledged, by: 'Vera' }] : [],
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
          severity: word.severity,
          step: word.step,
        })),
      },
      stale: { id: null, isClosed: false, told: [] },
    };
    const verdict = decideNotifications(current, toldBefore, [], at(minute));
    opened.push(...verdict.opens);
    const recipients = verdict.notifications.flatMap((one) => one.recipients);
    for (const { recipient, step = 0 } of recipients) words.set(recipient, { minute, step, severity });
    return {
      told: recipients.map(({ recipient }) => recipient),
      opened: verdict.opens.map(({ step }) => step),
    };
  });
}

/** The same from the sentences, without the policy: a climb is what lies between two interruptions. */
function model(moves: readonly Move[], empty: readonly number[], delay: number): Minute[] {
  let level: Level | 'over' = 'warning';
  let acknowledged: Level | null = null;
  let isMuted = false;
  let firstDue = delay;
  let anchor = delay;
  let open: { step: number; minute: number }[] = [];
  let known = new Set<number>();
  let heard = new Set<string>();
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
      heard.add(person(next).recipient);
    }
    if (empty.length === 3 && open.length === 3) {
      open.push({ step: 9, minute });
      result.opened.push(9);
      result.told.push('ada@lab.example');
      heard.add('ada@lab.example');
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
