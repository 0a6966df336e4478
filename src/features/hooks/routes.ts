// Where providers call back: that a message arrived, that somebody answered it or pressed a key. Without a signature that
// fits there is nothing here.

import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseJson } from '../../domain/json/parse-json.ts';
import { noteLost, noteReceived } from '../../engine/outbox/receipts.ts';
import { readStatus } from '../../engine/providers/record/receipts.ts';
import {
  type HookFields,
  hookPathOf,
  type SmsGateway,
  type SmsHooks,
  type SmsMaker,
} from '../../engine/providers/record/sms-maker.ts';
import { SMS_MAKERS } from '../../engine/providers/sms/makers.ts';
import type { Database } from '../../platform/db/database.ts';
import { parseUrlencodedForm } from '../../platform/http/form-body.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { acknowledgeCall, answerKey } from './answer-call.ts';
import { answerReply } from './answer-reply.ts';
import { sayAnswer } from './say-outcome.ts';

export interface HookDeps {
  db: Database;
  /** As they are in force. */
  settings: () => {
    sms: SmsGateway | null;
    /** Without a slash at its end; null: nobody can call back. */
    publicUrl: string | null;
  };
}

/** Of one request: by what proof, and under which address. */
interface Hook {
  hookSecret: string;
  takesReplies: boolean;
  publicUrl: string;
}

interface Called {
  fields: HookFields;
  body: Buffer;
}
type Handle = (
  called: Called,
  request: FastifyRequest,
  reply: FastifyReply,
  hook: Hook,
) => Promise<FastifyReply>;

const BODY_LIMIT = 64 * 1024;

/** There is one for each maker that calls back, and nothing there unless that is the one in force. */
export function routeHooks(app: HttpServer, deps: HookDeps): void {
  for (const maker of SMS_MAKERS) if (maker.hooks) routeMaker(app, deps, maker, maker.hooks);
}

function routeMaker(app: HttpServer, { db, settings }: HookDeps, maker: SmsMaker, hooks: SmsHooks): void {
  const findHook = (): Hook | null => {
    const { sms, publicUrl } = settings();
    if (sms?.gateway !== maker.name || sms.hookSecret === null || publicUrl === null) return null;
    return { hookSecret: sms.hookSecret, takesReplies: sms.takesReplies, publicUrl };
  };

  const isProved = (
    { hookSecret, publicUrl }: Hook,
    { url, headers, params, now }: FastifyRequest,
    { fields, body }: Called,
  ) => {
    const { secret } = params as { secret?: string };
    const header = (name: string) => [headers[name]].flat()[0];
    return hooks.isProved(hookSecret, { address: publicUrl + url, secret, header, body, fields }, now);
  };

  const base = hookPathOf(maker, ':secret');
  app.register(async (room: FastifyInstance) => {
    // A signature is over the body as it came.
    room.removeAllContentTypeParsers();
    room.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
      async (_: unknown, body: Buffer) => body,
    );
    const route = (path: string, handle: Handle) =>
      room.route({
        method: 'POST',
        url: base + path,
        config: { ignoresCredentials: true },
        schema: { hide: true } as never,
        handler: async (request, reply) => {
          const hook = findHook();
          if (!hook) return answerNothing(reply);
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          const fields = readFields(body, request.headers['content-type'] ?? '');
          if (!fields || !(await isProved(hook, request, { fields, body })))
            return reply.code(403).send({ detail: 'Not signed' });
          return handle({ fields, body }, request, reply, hook);
        },
      });

    route('/status', async ({ fields }, { now }, reply) => {
      const { id, status: said = '' } = hooks.readReport(fields);
      const state = id ? readStatus(said) : null;
      if (id && state === 'received') await db.transaction((tx) => noteReceived(tx, id, now));
      if (id && state === 'lost')
        await db.transaction((tx) => noteLost(tx, id, `The provider says: ${said}`, now));
      return reply.code(204).send();
    });

    const { replies } = hooks;
    if (replies)
      route('/sms', async ({ fields, body }, { now }, reply, { hookSecret, takesReplies }) => {
        if (!takesReplies) return answerNothing(reply);
        const { id = nameByContent(body), from = '', text = '' } = replies.read(fields);
        const number = from.startsWith('+') ? from : `+${from}`;
        const { answered, language } = await answerReply(
          { db, replySecret: hookSecret },
          { id: `${maker.name} sms ${id}`, from: number, text },
          now,
        );
        const said = sayAnswer(answered, language);
        if (said === null || !replies.answer) return reply.code(200).send();
        const { type, body: spoken } = replies.answer(said);
        return reply.type(type).send(spoken);
      });

    const { calls } = maker;
    if (calls) {
      const read = ({ params }: FastifyRequest, fields: HookFields, { publicUrl }: Hook) => {
        const { letter_id: letterId = '', attempt = '' } = params as Record<string, string | undefined>;
        const { callId, keys } = calls.readKeys(fields);
        return {
          deps: { db, publicUrl, calls },
          known: { letterId, callId, action: `${publicUrl}${base}/voice/${letterId}` },
          keys,
          attempt: /^[1-9]$/.test(attempt) ? Number(attempt) : null,
        };
      };
      route('/voice/:letter_id', async ({ fields }, request, reply, hook) => {
        const { deps, known, keys: key } = read(request, fields, hook);
        return reply.type(calls.type).send(await answerKey(deps, { ...known, key }, request.now));
      });
      route('/voice/:letter_id/pin/:attempt', async ({ fields }, request, reply, hook) => {
        const { deps, known, keys, attempt } = read(request, fields, hook);
        const typed = { ...known, attempt, pin: keys || null };
        return reply.type(calls.type).send(await acknowledgeCall(deps, typed, request.now));
      });
    }
  });
}

/** As if there were no such address. */
function answerNothing(reply: FastifyReply): FastifyReply {
  reply.callNotFound();
  return reply;
}

function readFields(body: Buffer, type: string): Record<string, string> | null {
  if (/^application\/json/i.test(type)) {
    const read = parseJson(body.toString('utf8'));
    if (typeof read !== 'object' || read === null) return null;
    return Object.fromEntries(
      Object.entries(read).flatMap(([name, value]) =>
        typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
      ),
    );
  }
  try {
    return parseUrlencodedForm(body);
  } catch {
    return null;
  }
}

/** Of an answer that has no name: by all that is in it. */
const nameByContent = (body: Buffer): string => createHash('sha256').update(body).digest('hex');
