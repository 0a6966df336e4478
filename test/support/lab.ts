// A lab told as a story: a freezer that reads, people who act, a clock that is moved by hand.

import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import type { ServiceId } from '../../src/domain/ids.ts';
import { decideDue } from '../../src/engine/outbox/decide.ts';
import { applyLabFile } from '../../src/features/lab-file/apply-lab-file.ts';
import { invitePeople, type People } from './people.ts';
import type { TestServer } from './test-server.ts';

interface Reading {
  time?: string | number;
  values: Record<string, unknown>;
}

export interface Freezer {
  id: ServiceId;
  device: string;
  /** Hands in one temperature, taken now. */
  reads(temperature: number): Promise<Response>;
  /** Hands in several readings in one post. */
  sends(...readings: Reading[]): Promise<Response>;
}

export interface Lab extends People {
  organizationName: string;
  secret: string;
  post(body: unknown): Promise<Response>;
  /** The body as it is. */
  send(body: BodyInit, headers?: Record<string, string>): Promise<Response>;
  /** Equipment with the given lines of the lab file. */
  freezer(settings?: Record<string, unknown>): Promise<Freezer>;
  apply(service: Record<string, unknown>): Promise<ServiceId>;
  applyAll(services: Record<string, unknown>[]): Promise<void>;
  /** Gives the gateway another secret. */
  replaceSecret(secret: string): Promise<void>;
  /** Changes how the gateway speaks. */
  source(lines: { kind?: string; settings?: Record<string, unknown> }): Promise<void>;
  /** Makes or changes a group; answers with its id. */
  group(group: Record<string, unknown> & { name: string }): Promise<number>;
  /** Other lines of its organization in the lab file. */
  organizationEntry(lines: Record<string, unknown>): Promise<void>;
  /** Moves the clock and lets it strike. */
  advance(ms: number): Promise<void>;
  /** Decides what is told of everything that is due by now. */
  tick(): Promise<void>;
  alarms(): Promise<Record<string, unknown>[]>;
}

let freezers = 0;

export async function openLab(server: TestServer): Promise<Lab> {
  const people = await invitePeople(server);
  const secret = randomBytes(16).toString('hex');
  const [organization] = await server.db.query<{ name: string }>(
    sql`select name from organization where id = ${people.organization}`,
  );
  const organizationName = organization?.name ?? '';

  const applyFile = async (rest: Record<string, unknown>) => {
    const text = JSON.stringify({ organizations: [{ name: organizationName, ...rest }] });
    const input = { text, fileName: 'lab.yaml', isDryRun: false };
    const applied = await applyLabFile(server.db, COMMAND_LINE, input, server.clock.read());
    if (!applied.ok) throw new Error(JSON.stringify(applied.refusal));
    return applied.value.ids;
  };
  await applyFile({ sources: [{ name: 'gateway', secret }] });

  const send = (body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/api/v1/telemetry`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    });
  const post = (body: unknown) => send(JSON.stringify(body));
  const apply = async (service: Record<string, unknown>) => {
    const ids = await applyFile({ services: [service] });
    return Object.values(ids.services)[0] as ServiceId;
  };

  return {
    ...people,
    organizationName,
    secret,
    post,
    send,
    apply,
    async applyAll(services) {
      await applyFile({ services });
    },
    async replaceSecret(next) {
      await applyFile({ sources: [{ name: 'gateway', secret: next }] });
    },
    async source(lines) {
      await applyFile({ sources: [{ name: 'gateway', ...lines }] });
    },
    async group(group) {
      const ids = await applyFile({ groups: [group] });
      return Object.values(ids.groups)[0] as number;
    },
    async organizationEntry(lines) {
      await applyFile(lines);
    },
    async freezer(settings = {}) {
      freezers += 1;
      const device = `freezer-${freezers}`;
      const id = await apply({
        name: `Freezer ${freezers}`,
        device: { key: device },
        channels: [{ name: 'temperature', label: 'Temperature', unit: '°C', kind: 'metric' }],
        ...settings,
      });
      const sends = (...readings: Reading[]) =>
        post(readings.map(({ time = server.clock.read().getTime(), values }) => ({ device, time, values })));
      return { id, device, sends, reads: (temperature) => sends({ values: { temperature } }) };
    },
    async advance(ms) {
      server.clock.advance(ms);
      await server.road.sweep(server.clock.read());
    },
    tick: () => decideDue(server.db, server.clock.read()),
    async alarms() {
      return (await people.vera.get('/api/v1/alarms')).json() as Promise<Record<string, unknown>[]>;
    },
  };
}
