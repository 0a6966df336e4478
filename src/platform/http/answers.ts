import type { FastifyReply } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { orNull } from './schemas.ts';

const Detail = Type.Object({ detail: Type.String() }, { description: 'What went wrong' });

const FieldDetail = Type.Object(
  {
    detail: Type.Array(
      Type.Object({
        type: Type.String(),
        loc: Type.Tuple([Type.String(), Type.String()]),
        msg: Type.String(),
        input: orNull(Type.String()),
      }),
    ),
  },
  { description: 'The offending fields' },
);

/** The schemas of the errors a route may answer, for its documentation. */
export const errors = (...statuses: number[]): Record<number, TSchema> =>
  Object.fromEntries(statuses.map((status) => [status, status === 422 ? FieldDetail : Detail]));

/** Contract, Errors: every error on an API path is an object with the key `detail`. */
export function answerDetail(reply: FastifyReply, status: number, detail: string | object[]): FastifyReply {
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return reply.code(status).type('application/json; charset=utf-8').send({ detail });
}
