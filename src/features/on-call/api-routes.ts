// Who is on call, for programs: beside the contract, with its words for errors and times.
import { Type } from 'typebox';
import { organizationIdsOf } from '../../domain/accounts/requester.ts';
import { formatInstant } from '../../domain/instant.ts';
import { findDutyNow } from '../../domain/on-call/duties.ts';
import { readRotas, type StoredRota } from '../../engine/on-call/rotas.ts';
import { toRota } from '../../engine/outbox/ladders.ts';
import { requesterOf } from '../../engine/requests/requester-of.ts';
import type { Database } from '../../platform/db/database.ts';
import { answerDetail, errors } from '../../platform/http/answers.ts';
import { orNull } from '../../platform/http/schemas.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { eachInTurn, inSlices } from '../../platform/in-slices.ts';

const OnCallEntry = Type.Object({
  rota_id: Type.Integer(),
  rota_name: Type.String(),
  organization_id: Type.Integer(),
  organization_name: Type.String(),
  account_id: orNull(Type.Integer({ description: 'Who is on call; null: nobody is' })),
  account_name: orNull(Type.String()),
  is_stand_in: Type.Boolean({ description: 'Whether in the place of whoever has the turn' }),
  since: orNull(
    Type.String({
      format: 'date-time',
      description: 'When the shift or the stand-in began; null: nobody is',
    }),
  ),
  until: orNull(
    Type.String({
      format: 'date-time',
      description:
        'When it is over or another stand-in begins; if nobody is on call, when somebody may come; null: nothing is to come',
    }),
  ),
  next_account_id: orNull(Type.Integer({ description: 'Who is on call from then on; null: nobody' })),
  next_account_name: orNull(Type.String()),
});

export const routeOnCallApi = (app: HttpServer, { db }: { db: Database }): void => {
  app.route({
    method: 'GET',
    url: '/api/v1/on-call',
    schema: {
      summary: 'Who is on call now',
      description: 'One entry for each rota of your organizations, by name. Empty where there is none.',
      tags: ['On call'],
      response: {
        200: Type.Array(OnCallEntry, { description: 'Rotas with who is on call' }),
        ...errors(401, 500, 503),
      },
    },
    handler: async (request, reply) => {
      const requester = requesterOf(request);
      if (requester.accountId === null) return answerDetail(reply, 401, 'Authentication required');
      const rotas = await readRotas(db, organizationIdsOf(requester), request.now);
      return inSlices(eachInTurn(rotas, (rota) => describeNow(rota, request.now)));
    },
  });
};

function describeNow(stored: StoredRota, now: Date) {
  const { duty, since, until, next } = findDutyNow(toRota(stored), now);
  const nameOf = (id: number | undefined) => stored.people.find((one) => one.id === id)?.name ?? null;
  return {
    rota_id: stored.id,
    rota_name: stored.name,
    organization_id: stored.organizationId,
    organization_name: stored.organizationName,
    account_id: duty?.accountId ?? null,
    account_name: nameOf(duty?.accountId),
    is_stand_in: duty?.standIn != null,
    since: since && formatInstant(since),
    until: until && formatInstant(until),
    next_account_id: next?.accountId ?? null,
    next_account_name: nameOf(next?.accountId),
  };
}
