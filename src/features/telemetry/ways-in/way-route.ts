// What all ways in share: who sends, how much at once, and what is answered when the failure is ours.

import { Readable } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { english } from '../../../domain/language/english.ts';
import { message } from '../../../domain/language/message.ts';
import { fault, type Refused, sayRefused } from '../../../domain/readings/refused.ts';
import type { SourceSettings } from '../../../domain/ways-in/source-settings.ts';
import type { WayOfOthers } from '../../../domain/ways-in/way-in.ts';
import type { UplinkDecoder } from '../../../engine/codecs/uplink-decoder.ts';
import type { SourceLedger } from '../../../engine/sources/source-ledger.ts';
import type { Database } from '../../../platform/db/database.ts';
import { isRequestsFault, RETRY_AFTER_SECONDS } from '../../../platform/http/errors.ts';
import type { Gate } from '../../../platform/turns.ts';
import { SET_ASIDE, TOO_MANY, TOO_MANY_READINGS, WORDS } from '../answers.ts';
import type { Bodies } from '../bodies.ts';
import { findPackingFault, type Packing, TOO_LARGE } from '../read-body.ts';
import type { Sender, Sources } from '../sources.ts';
import type { Take } from '../take-post.ts';
import { findSecret } from './find-secret.ts';
import { openSettling } from './settle-post.ts';
import { openTakeWay, type ReadWay, type WayAnswer, type WayFault } from './take-way.ts';

export interface WayDeps {
  db: Database;
  sources: Sources;
  bodies: Bodies;
  take: Take;
  ledger: SourceLedger;
  codecs: UplinkDecoder;
  large: Gate;
}

type AnswerFault = (reply: FastifyReply, status: number, text: string) => FastifyReply;

/** One address at which a way in is heard. */
export interface WayRoute<Beside> {
  url: string;
  summary: string;
  description: string;
  /** By status; 401, 413, 415 and 503 are the same for all. */
  response: Record<number, TSchema>;
  packing?: Packing;
  /** Unpacked. */
  mostBytes: number;
  /** What is wrong with a request before its body was read. */
  findFault?: (request: FastifyRequest) => [status: number, text: string] | null;
  read: WayOfOthers<SourceSettings, Beside>['read'];
  /** What the reader has to know beside the body. */
  besideOf: (request: FastifyRequest) => Beside;
  sampleOf: (body: Buffer, index: number) => Buffer;
  /** For its page, where a mapping or a codec is tried out. */
  isBodyKept?: (request: FastifyRequest) => boolean;
  answer: (reply: FastifyReply, answer: WayAnswer) => unknown;
  answerFault: AnswerFault;
}

export const FAULTS: Record<WayFault, [status: number, why: Refused]> = {
  too_many: [413, TOO_MANY],
  too_many_readings: [413, TOO_MANY_READINGS],
  too_large: [TOO_LARGE.status, fault(message('Request body too large'))],
  not_unpacked: [400, fault(message('The request body could not be unpacked'))],
  set_aside: [400, SET_ASIDE],
  unreadable: [400, fault(message('The request body could not be read'))],
};

export type RouteWay = ReturnType<typeof openWays>;

export function openWays(
  room: FastifyInstance,
  { db, sources, bodies, take, ledger, codecs, large }: WayDeps,
) {
  const takeBody = openTakeWay({ take, ledger, codecs, settle: openSettling(db), large });
  return <Beside>(way: WayRoute<Beside>): void => {
    const { answerFault, mostBytes, sampleOf } = way;
    room.route({
      method: 'POST',
      url: way.url,
      config: { ignoresCredentials: true },
      schema: {
        summary: way.summary,
        description: way.description,
        tags: ['Ways in'],
        response: way.response,
      },
      errorHandler: (error: FastifyError, request, reply) => {
        if (isRequestsFault(error)) throw error;
        request.log.error({ err: error }, 'readings could not be stored');
        return answerOurs(reply, WORDS.notStored);
      },
      // Before anything is read: whoever has no secret costs no memory.
      onRequest: async (request, reply) => {
        const secret = findSecret(request);
        if (secret === null) return refuseSender(reply, WORDS.noSecret);
        request.sender = await sources.find(secret);
        if (!request.sender) return refuseSender(reply, WORDS.unknownSecret);
        const packing = findPackingFault(request.headers, way.packing);
        if (packing) return answerFault(reply, packing.status, packing.detail);
        const fault = way.findFault?.(request);
        if (fault) return answerFault(reply, ...fault);
      },
      handler: async (request, reply) => {
        const { headers, now } = request;
        const beside = way.besideOf(request);
        const read: ReadWay = (body, rules) => way.read(body, beside, rules);
        const isBodyKept = way.isBodyKept?.(request) ?? false;
        const payload = (request.body as Readable | undefined) ?? Readable.from([]);
        const sender = request.sender as Sender;
        const outcome = await bodies.receive(payload, sender.source.organizationId, (body) =>
          sources.use(sender, (source) =>
            takeBody({ body, headers, source, now, read, mostBytes, sampleOf, isBodyKept }),
          ),
        );
        if (typeof outcome === 'object') return way.answer(reply, outcome);
        if (outcome === 'no_room') return answerOurs(reply, WORDS.noRoom);
        if (outcome === 'unknown_source') return refuseSender(reply, WORDS.unknownSecret);
        const [status, why] = FAULTS[outcome];
        ledger.refused(sender.source, { why, sample: () => Buffer.alloc(0) }, now);
        return answerFault(reply, status, sayRefused(why, english));
      },
    });

    function refuseSender(reply: FastifyReply, text: string): FastifyReply {
      reply.header('www-authenticate', 'Bearer');
      return answerFault(reply, 401, text);
    }
    function answerOurs(reply: FastifyReply, text: string): FastifyReply {
      reply.header('retry-after', RETRY_AFTER_SECONDS);
      return answerFault(reply, 503, text);
    }
  };
}
