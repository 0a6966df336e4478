import type { Person } from '../people.ts';
import type { House } from './houses.ts';
import type { Caller, Move } from './moves.ts';

interface Houses {
  house: House;
  /** The other one. */
  hidden: House;
}

export async function sendMove(url: string, houses: Houses, move: Move) {
  const { route, caller, headers } = move;
  const fill = (value: string) => putNames(value, houses);
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encode(fill(move.params[name] ?? '')));
  const query = new URLSearchParams(mapValues(move.query, fill));
  const address = `${path}${query.size > 0 ? `?${query}` : ''}`;
  const isBodiless = route.method === 'GET' || route.method === 'DELETE';
  const { body, type } = isBodiless ? { body: null, type: null } : writeBody(move, houses, fill);
  const stop = new AbortController();
  const answer = await fetch(url + address, {
    method: route.method,
    redirect: 'manual',
    body,
    signal: stop.signal,
    headers: {
      ...headers,
      ...(type !== null && { 'content-type': type }),
      origin: url,
      ...(await findCredentials(route.path, caller, houses)),
    },
  });
  const isEndless = answer.headers.get('content-type')?.startsWith('text/event-stream');
  const text = isEndless ? '' : await answer.text();
  stop.abort();
  const sent = `${address} ${typeof body === 'string' ? body : ''} ${body instanceof URLSearchParams ? body : ''}`;
  return { status: answer.status, headers: answer.headers, text, sent };
}

async function findCredentials(
  path: string,
  caller: Caller,
  { house, hidden }: Houses,
): Promise<Record<string, string>> {
  if (path === '/api/v1/telemetry') {
    if (caller === 'anonymous') return {};
    return { authorization: `Bearer ${(caller === 'foreign' ? hidden : house).lab.secret}` };
  }
  const { nora, vera, oscar, ada } = house.lab;
  const people: Record<Caller, Person | null> = {
    anonymous: null,
    none: nora,
    viewer: vera,
    operator: oscar,
    administrator: ada,
    foreign: hidden.lab.ada,
  };
  const person = people[caller];
  return person ? { authorization: `Bearer ${await person.token()}` } : {};
}

function writeBody({ fields, json, type }: Move, houses: Houses, fill: (value: string) => string) {
  const form = mapValues(fields, fill);
  if (type === 'json')
    return { body: putNames(JSON.stringify(json) ?? 'null', houses), type: 'application/json' };
  if (type === 'text') return { body: JSON.stringify(form), type: 'text/plain' };
  if (type === 'none') return { body: null, type: null };
  if (type === 'form') return { body: new URLSearchParams(form), type: 'application/x-www-form-urlencoded' };
  const parts = new FormData();
  for (const [name, value] of Object.entries(form)) parts.append(name, value);
  return { body: parts, type: null };
}

const putNames = (value: string, { house, hidden }: Houses): string =>
  value.replaceAll(/@(own|other) (\w+)/g, (_, whose: string, name: string) => {
    const { names } = whose === 'own' ? house : hidden;
    return names[name] ?? '1';
  });

/** Half of a character cannot be sent in an address, nor as a form. */
const encode = (value: string): string => encodeURIComponent(value.toWellFormed()) || '%20';

const mapValues = (values: Record<string, string>, map: (value: string) => string) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name.toWellFormed(), map(value).toWellFormed()]),
  );
