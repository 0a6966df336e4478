import { describe, expect, test } from 'vitest';
import { FINDINGS, type FindingName, findTroubles, type WatchFigures } from './self-watch.ts';

const NOW = new Date('2026-11-15T03:00:00.000Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);
const GIBIBYTE = 1024 ** 3;
const disk = (free: number, total: number) => ({ freeBytes: free * GIBIBYTE, totalBytes: total * GIBIBYTE });

const crew = { lastBeatAt: ago(3), awakeSince: ago(86_400) };
const IDLE: WatchFigures = {
  programs: 1,
  engine: crew,
  deliver: crew,
  lastDoneAt: { sweep: ago(3), decide: ago(3), deliver: ago(3) },
  isSweepDue: false,
  oldestTimerAt: null,
  oldestDecisionAt: null,
  oldestMessageAt: null,
  oldestTriedMailAt: null,
  stuckMailAt: null,
  stuckWebhookAt: null,
  lastResortAt: null,
  isMailKept: false,
  hostsWithoutKey: [],
  hostsWithoutPacking: [],
  lastMailAt: null,
  lastWebhookAt: null,
  hosts: [{ host: 'lab', clockAheadMs: 0, disk: disk(50, 100) }],
  workersAway: [],
  setAside: [],
  ends: null,
};
const woken = { lastBeatAt: ago(1), awakeSince: ago(20) };
const never = { sweep: null, decide: null, deliver: null };

const CASES: [what: string, figures: Partial<WatchFigures>, names: FindingName[]][] = [
  ['an alarm that reached nobody of its group', { lastResortAt: ago(1) }, ['nobody_reached']],
  ['no mail server, while somebody is notified by mail', { isMailKept: true }, ['mail_kept']],
  ['a program without the key', { hostsWithoutKey: ['lab-2'] }, ['settings_unread']],
  [
    'a program that stood still',
    { ends: { standstills: 1, deaths: 0, lastAt: ago(60), lastHost: 'lab', place: null } },
    ['program_ended'],
  ],
  ['a program without its thread for packing', { hostsWithoutPacking: ['lab'] }, ['packing_lost']],
  ['work that was set aside', { setAside: ['series 17'] }, ['set_aside']],
  ['an idle service', {}, []],
  ['one that has never sent anything, and nothing is due', { lastDoneAt: never }, []],
  ['a beat of 15 seconds ago', { engine: { ...crew, lastBeatAt: ago(15) } }, []],
  ['a beat of 16 seconds ago', { engine: { ...crew, lastBeatAt: ago(16) } }, ['no_engine']],
  [
    'no program at all',
    { engine: { lastBeatAt: null, awakeSince: null }, deliver: { lastBeatAt: null, awakeSince: null } },
    ['no_engine', 'no_deliverer'],
  ],
  ['a timer due for 30 seconds', { oldestTimerAt: ago(30), isSweepDue: true }, []],
  ['a timer due for 31 seconds', { oldestTimerAt: ago(31), isSweepDue: true }, ['timers_late']],
  [
    'a timer due for hours, in the first seconds after sleep',
    { oldestTimerAt: ago(9_000), isSweepDue: true, engine: woken, lastDoneAt: never },
    [],
  ],
  ['a new service that waits for the first sweep', { isSweepDue: true }, []],
  [
    'sweeps that fail while a new service waits',
    { isSweepDue: true, lastDoneAt: { ...IDLE.lastDoneAt, sweep: ago(61) } },
    ['sweep_failing'],
  ],
  ['sweeps that fail while nothing waits', { lastDoneAt: { ...IDLE.lastDoneAt, sweep: ago(600) } }, []],
  [
    'sweeps that never succeeded since the start a day ago',
    { isSweepDue: true, lastDoneAt: never },
    ['sweep_failing'],
  ],
  ['a decision due for a minute', { oldestDecisionAt: ago(60) }, []],
  ['a decision due for longer', { oldestDecisionAt: ago(61) }, ['decisions_late']],
  [
    'decisions that fail, as something comes up',
    { oldestDecisionAt: ago(1), lastDoneAt: { ...IDLE.lastDoneAt, decide: ago(61) } },
    ['decide_failing'],
  ],
  ['a message due for longer than a minute', { oldestMessageAt: ago(61) }, ['messages_late']],
  [
    'delivery that fails, as a message is due',
    { oldestMessageAt: ago(1), lastDoneAt: { ...IDLE.lastDoneAt, deliver: ago(61) } },
    ['deliver_failing'],
  ],
  ['a mail tried for a minute', { oldestTriedMailAt: ago(60), stuckMailAt: ago(60) }, []],
  [
    'a mail tried for longer, and none has left since',
    { oldestTriedMailAt: ago(61), stuckMailAt: ago(61) },
    ['mail_stuck'],
  ],
  ['a mail tried for longer while others leave', { oldestTriedMailAt: ago(61) }, ['mail_delayed']],
  [
    'a mail tried for days while others left, until a minute ago',
    { oldestTriedMailAt: ago(200_000), stuckMailAt: ago(61) },
    ['mail_stuck'],
  ],
  [
    'a webhook tried for longer, and nothing has arrived since',
    { stuckWebhookAt: ago(61) },
    ['webhooks_stuck'],
  ],
  ['clocks two seconds apart', { hosts: [{ host: 'lab', clockAheadMs: -2000, disk: null }] }, []],
  [
    'one of several clocks further off',
    {
      hosts: [
        { host: 'lab', clockAheadMs: 5, disk: null },
        { host: 'old', clockAheadMs: -2001, disk: null },
      ],
    },
    ['clock_differs'],
  ],
  ['a disk that nobody sees', { hosts: [{ host: 'lab', clockAheadMs: null, disk: null }] }, []],
  ['a small disk with a tenth free', { hosts: [{ host: 'lab', clockAheadMs: 0, disk: disk(1, 10) }] }, []],
  [
    'a small disk with less',
    { hosts: [{ host: 'lab', clockAheadMs: 0, disk: disk(0.9, 10) }] },
    ['disk_filling'],
  ],
  ['a large disk with 2 GiB free', { hosts: [{ host: 'lab', clockAheadMs: 0, disk: disk(2, 1000) }] }, []],
  ['a disk with 400 MiB', { hosts: [{ host: 'lab', clockAheadMs: 0, disk: disk(0.4, 1) }] }, ['disk_full']],
  ['a worker that does not answer', { workersAway: ['10.0.0.7:5432'] }, ['worker_away']],
  [
    'everything at once, in the order of the table',
    {
      engine: { ...crew, lastBeatAt: ago(99) },
      oldestMessageAt: ago(99),
      oldestTimerAt: ago(99),
      hosts: [{ host: 'lab', clockAheadMs: 9000, disk: disk(0.1, 1) }],
    },
    ['no_engine', 'timers_late', 'clock_differs', 'messages_late', 'disk_full'],
  ],
];

test.each(CASES)('%s', (_, figures, names) => {
  expect(findTroubles({ ...IDLE, ...figures }, NOW).map(({ name }) => name)).toEqual(names);
});

describe('the words', () => {
  const wordsOf = (figures: Partial<WatchFigures>) =>
    findTroubles({ ...IDLE, ...figures }, NOW).map(({ trouble }) => trouble);

  test('name the host whose clock differs most, by how much and which way', () => {
    const hosts = [
      { host: 'one', clockAheadMs: 2500, disk: null },
      { host: 'two', clockAheadMs: -65_000, disk: null },
    ];
    expect(wordsOf({ hosts })).toEqual([
      'The clock of two is 1 minute 5 seconds behind that of the database',
    ]);
  });

  test('count lateness from the return of who was asleep', () => {
    const engine = { lastBeatAt: ago(1), awakeSince: ago(40) };
    expect(wordsOf({ engine, oldestTimerAt: ago(9_000), isSweepDue: true })).toEqual([
      'Alarms are judged late: a timer has been due for 40 seconds',
    ]);
  });

  test('say how much room there is', () => {
    expect(wordsOf({ hosts: [{ host: 'lab', clockAheadMs: 0, disk: disk(1.55, 99.99) }] })).toEqual([
      'The disk of the database is filling: 1.5 GiB of 99.9 GiB are left',
    ]);
  });
});

test('every finding has a case above, but the one without figures', () => {
  const found = new Set(CASES.flatMap(([, , names]) => names));
  expect(Object.keys(FINDINGS).filter((name) => !found.has(name as FindingName))).toEqual(['database_away']);
});
