// An organization with a freezer to be defrosted, the people around it, and windows put in to the millisecond.
import sql from 'sql-template-tag';
import type { AccountId, OrganizationId } from '../../src/domain/ids.ts';
import { first } from '../../src/platform/db/database.ts';
import { archive, createFreezer, type Freezer, organizationOf } from './equipment.ts';
import { invitePeople, type People, type Person } from './people.ts';
import type { TestServer } from './test-server.ts';

export interface DowntimeDesk extends People {
  freezer: Freezer;
  /** Belongs to Olga's organization. */
  incubator: Freezer;
  addService(name: string, organization?: OrganizationId): Promise<Freezer>;
  archive(service: Freezer): Promise<void>;
  /** A form that is fine, except for what is given: the freezer, for an hour from now on. */
  form(changes?: Record<string, string>): Record<string, string>;
  schedule(person: Person, changes?: Record<string, string>): Promise<Response>;
  /** Puts a window in past the interface; its bounds count from now. */
  addWindow(startsInMs: number, endsInMs: number, window?: Partial<AddedWindow>): Promise<number>;
  list(person: Person): Promise<ListedDowntime[]>;
  /** The windows of one service, oldest first. */
  stored(service?: Freezer): Promise<StoredDowntime[]>;
  cancel(person: Person, id: number | string, extra?: CancelExtra): Promise<Response>;
}

interface CancelExtra {
  headers?: Record<string, string>;
  /** A form that nobody asked for. */
  body?: string;
}

interface AddedWindow {
  service: Freezer;
  reason: string;
  author: { id: AccountId; name: string };
}

interface ListedDowntime {
  id: number;
  service_id: number;
  service_name: string;
  start_time: string;
  end_time: string;
  reason: string;
  created_by_user_id: number;
  created_by_name: string;
  created_at: string;
}

interface StoredDowntime {
  id: number;
  startAt: Date;
  endAt: Date;
  reason: string;
}

export const DOWNTIMES = '/api/v1/downtimes';

export async function openDowntimeDesk(server: TestServer): Promise<DowntimeDesk> {
  const { db, clock } = server;
  const people = await invitePeople(server);
  const addService = (name: string, organization = people.organization) =>
    createFreezer(server, people, { name, organization });
  const freezer = await addService('Freezer 1');
  const later = (ms: number) => new Date(clock.read().getTime() + ms);
  const form = (changes: Record<string, string> = {}) => ({
    service_id: String(freezer.id),
    start_time: later(0).toISOString().slice(0, 19).concat('Z'),
    end_time: later(3_600_000).toISOString().slice(0, 19).concat('Z'),
    reason: 'Defrost',
    ...changes,
  });

  return {
    ...people,
    freezer,
    incubator: await addService('Incubator 9', await organizationOf(server, people.olga)),
    addService,
    form,
    async archive(service) {
      await archive(server, service);
    },
    schedule: (person, changes) => person.post(DOWNTIMES, form(changes)),
    async addWindow(
      startsInMs,
      endsInMs,
      { service = freezer, reason = 'Defrost', author = people.oscar } = {},
    ) {
      const row = first(
        await db.query<{ id: number }>(sql`
          insert into downtime (service_id, start_at, end_at, reason, created_by_id, created_by_name, created_at)
          values (${service.id}, ${later(startsInMs)}, ${later(endsInMs)}, ${reason}, ${author.id}, ${author.name},
            ${clock.read()})
          returning id`),
      );
      return row?.id as number;
    },
    list: async (person) => (await (await person.get(DOWNTIMES)).json()) as ListedDowntime[],
    stored: (service = freezer) =>
      db.query(sql`
        select id, start_at as "startAt", end_at as "endAt", reason from downtime
        where service_id = ${service.id} order by id`),
    async cancel(person, id, { headers, body } = {}) {
      const token = await server.signer.issue({ accountId: person.id, generation: 1 }, clock.read());
      return fetch(`${server.url}${DOWNTIMES}/${id}`, {
        method: 'DELETE',
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      });
    },
  };
}
