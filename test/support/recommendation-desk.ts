// The recommendations of one freezer, asked for by people and answered by an advisor in the hand of the test.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../src/domain/ids.ts';
import type { BandName } from '../../src/domain/judging/band.ts';
import { completeRequest, failRequest } from '../../src/engine/advice/recommendations.ts';
import { expectFragment } from './answers.ts';
import { createFreezer, type Freezer } from './equipment.ts';
import { invitePeople, type People, type Person } from './people.ts';
import type { TestServer } from './test-server.ts';

export interface RecommendationDesk extends People {
  freezer: Freezer;
  path(verb: RecommendationVerb, id?: string | number): string;
  /** Each answers with its fragment. */
  recommend(person: Person, freezer?: Freezer): Promise<string>;
  read(person: Person, freezer?: Freezer): Promise<string>;
  apply(person: Person, resultId: string, freezer?: Freezer): Promise<string>;
  /** A request of Ada's that the advisor completed with the result: its id. */
  completed(result: object, freezer?: Freezer): Promise<string>;
  failed(reason: string): Promise<string>;
}

type RecommendationVerb = 'recommend' | 'recommendation' | 'apply-recommendation';

export async function openRecommendationDesk(server: TestServer): Promise<RecommendationDesk> {
  const people = await invitePeople(server);
  const freezer = await createFreezer(server, people);
  const path = (verb: RecommendationVerb, id: string | number = freezer.id) =>
    `/api/v1/services/${id}/${verb}`;
  const request = async ({ id }: Freezer) => {
    await people.ada.post(path('recommend', id));
    return (await recommendationsOf(server, id)).find(({ state }) => state === 'pending')?.id ?? '';
  };
  return {
    ...people,
    freezer,
    path,
    recommend: async (person, { id } = freezer) => expectFragment(await person.post(path('recommend', id))),
    read: async (person, { id } = freezer) => expectFragment(await person.get(path('recommendation', id))),
    apply: async (person, resultId, { id } = freezer) =>
      expectFragment(await person.post(path('apply-recommendation', id), { result_id: resultId })),
    async completed(result, asked = freezer) {
      const id = await request(asked);
      await completeRequest(server.db, id, result, server.clock.read());
      return id;
    },
    async failed(reason) {
      const id = await request(freezer);
      await failRequest(server.db, id, reason, server.clock.read());
      return id;
    },
  };
}

export interface StoredRequest {
  id: string;
  state: string;
  requestedByName: string;
  attempts: number;
  failureReason: string | null;
  /** To the letter. */
  resultText: string | null;
  appliedAt: Date | null;
}

export const recommendationsOf = ({ db }: TestServer, serviceId: ServiceId) =>
  db.query<StoredRequest>(sql`
    select id, state, requested_by_name as "requestedByName", attempts, failure_reason as "failureReason",
      result::text as "resultText", applied_at as "appliedAt"
    from recommendation where service_id = ${serviceId} order by id`);

export interface StoredVersion {
  channel: string | null;
  version: number;
  origin: string;
  authorName: string;
  isPercentage: boolean;
  setpointChannel: string | null;
  stateChannel: string | null;
  isInForce: boolean;
  bands: [band: BandName, limit: number | null, delay: number, sustained: number][];
}

/** The history of a service's limits, oldest first. */
export const limitsOf = ({ db }: TestServer, serviceId: ServiceId) =>
  db.query<StoredVersion>(sql`
    select channel, version, origin, author_name as "authorName", is_percentage as "isPercentage",
      setpoint_channel as "setpointChannel", state_channel as "stateChannel", retired_at is null as "isInForce",
      coalesce((select json_agg(json_build_array(band, limit_value, delay_minutes, sustained_minutes) order by band)
        from limits_band where limits_version_id = limits_version.id), '[]') as "bands"
    from limits_version where service_id = ${serviceId} order by id`);

/** The words of a fragment, as a reader sees them. */
export const wordsOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
