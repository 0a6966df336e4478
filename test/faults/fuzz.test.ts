// Every route is asked by every kind of person, with what it asks for, nearly that, and what was made to do harm. Nothing
// fails, nothing is answered that is not described, and nobody hears of another organization. The same seed asks the same.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { HIDDEN_ID, type House, openHiddenHouse, openHouse } from '../support/fuzz/houses.ts';
import { INJECTED, type Move, movesOn } from '../support/fuzz/moves.ts';
import { hearRoutes, type Route } from '../support/fuzz/routes.ts';
import { sendMove } from '../support/fuzz/send-move.ts';
import { startServer } from '../support/test-server.ts';

const REQUESTS = Number(process.env.TOCSIN_FUZZ_REQUESTS ?? 1_500);
const SEED = Number(process.env.TOCSIN_FUZZ_SEED ?? 20_261_116);
/** Administrators take things away: after this many requests there is a new house. */
const ROUND = 500;
const AT_ONCE = 4;
/** What a program may keep for itself, between a warm start and the end. */
const MOST_GROWTH = 64 * 1024 * 1024;

test(`${REQUESTS} requests of all kinds by all kinds of people, seed ${SEED}`, {
  timeout: 60_000 + 100 * REQUESTS,
}, async () => {
  const { routes, value: server } = await hearRoutes(() => startServer());
  const hidden = await openHiddenHouse(server);
  const drawn = fc.sample(movesOn(routes), { numRuns: REQUESTS, seed: SEED });
  // Chance leaves one or the other route out.
  const names = new Set(drawn.map(({ route }) => nameRoute(route)));
  const missed = routes.filter((route) => !names.has(nameRoute(route)));
  const moves = [
    ...drawn,
    ...missed.flatMap((route) => fc.sample(movesOn([route]), { numRuns: 1, seed: SEED })),
  ];
  const complaints: string[] = [];
  const asked = new Set<string>();
  const answeredWell = new Set<string>();
  const heard = new Set<string>();
  let heapWarm = 0;
  for (let begin = 0; begin < moves.length; begin += ROUND) {
    const house = await openHouse(server, `Stieglitz${begin / ROUND}`);
    const round = moves.slice(begin, begin + ROUND);
    const ask = async () => {
      for (let move = round.shift(); move; move = round.shift()) {
        const answer = await sendMove(server.url, { house, hidden }, move);
        const route = nameRoute(move.route);
        asked.add(route);
        if (answer.status < 400) answeredWell.add(route);
        for (const [mark] of answer.text.matchAll(/Zeisig|Stieglitz/g))
          heard.add(`${mark} by ${move.caller}`);
        for (const complaint of judge(move, answer, house))
          complaints.push(`${complaint}: ${describe(move)}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, ask));
    server.logLines.length = 0;
    if (begin === 0) heapWarm = readHeap();
  }
  expect(complaints).toEqual([]);
  expect([...new Set(routes.map(nameRoute))].filter((route) => !asked.has(route))).toEqual([]);
  // People have to get past the door and hear of their own, or nothing was tried.
  expect(answeredWell.size).toBeGreaterThan(asked.size / 2);
  expect([...heard].sort()).toEqual([
    'Stieglitz by administrator',
    'Stieglitz by operator',
    'Stieglitz by viewer',
    'Zeisig by foreign',
  ]);
  expect(readHeap() - heapWarm).toBeLessThan(MOST_GROWTH);
});

const nameRoute = ({ method, path }: Route): string => `${method} ${path}`;

interface Heard {
  status: number;
  headers: Headers;
  text: string;
  /** What was sent, as it was sent. */
  sent: string;
}

/** Senders make up what their devices are called, and pages of sources show what was sent. */
const withoutSamples = ({ path }: Route, text: string): string =>
  (path.startsWith('/settings/sources') ? text.replace(/<(pre|textarea)[ >].*?<\/\1>/gs, '') : text).replace(
    /device-of-\d+/g,
    '',
  );

/** The audit log names requests by numbers drawn by lot, which may look like anything. */
const withoutRequestIds = (text: string): string =>
  text.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '');

/** What is wrong with an answer. */
function judge({ route, caller }: Move, { status, headers, text, sent }: Heard, house: House): string[] {
  const complaints: string[] = [];
  const type = headers.get('content-type') ?? '';
  if (status >= 500) complaints.push(`${status} ${text.slice(0, 200)}`);
  if (/\n\s+at .+:\d+:\d+|node_modules|\.ts:\d+/.test(text)) complaints.push('a stack trace');
  if (type.startsWith('text/html') && text.includes(INJECTED)) complaints.push('a script came back as one');
  if (headers.getSetCookie().some((line) => line.startsWith('evil'))) complaints.push('a header was written');
  const own = { anonymous: '', none: '', foreign: 'Zeisig' }[caller as string] ?? house.mark;
  for (const [mark] of text.matchAll(/Zeisig|Stieglitz\d+/g))
    if (mark !== own) complaints.push(`a byte of ${mark}`);
  if (caller !== 'foreign')
    for (const id of withoutRequestIds(withoutSamples(route, text)).match(HIDDEN_ID) ?? [])
      if (!sent.includes(id)) complaints.push(`the foreign id ${id}`);
  const schema = findSchema(route, status, type);
  if (schema && !Value.Check(schema, JSON.parse(text)))
    complaints.push(`${status} is not as described: ${text.slice(0, 300)}`);
  return complaints;
}

function findSchema({ answers }: Route, status: number, type: string) {
  const described = answers[status];
  if (!described || !type.startsWith('application/json')) return null;
  return described.content ? described.content['application/json']?.schema : described;
}

const describe = ({ route, caller, params, query, fields, json, type, headers }: Move): string =>
  JSON.stringify({
    route: nameRoute(route),
    caller,
    params,
    query,
    ...(type === 'json' ? { json } : { fields }),
    type,
    headers,
  });

/** After everything that nobody holds any more is gone. */
function readHeap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
