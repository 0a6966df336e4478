// Where providers call back: that a message arrived, that somebody answered it or pressed a key. Without a signature that
// fits there is nothing here.

import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseJson } from '../../domain/json/parse-json.ts';
import { noteLost, noteReceived } from '../../engine/outbox/receipts.ts';
import { escapeXml } from '../../engine/transports/method/write-call.ts';
import { isSame } from '../../platform/auth/is-same.ts';
import type { Database } from '../../platform/db/database.ts';
import { parseUrlencodedForm } from '../../platform/http/form-body.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import type { SmsGateway } from '../../platform/read-channels.ts';
import { acknowledgeCall, answerKey } from './answer-call.ts';
import { answerReply } from './answer-reply.ts';
import { readStatus } from './read-report.ts';
import { REFUSALS, sayOutcome } from './say-outcome.ts';
import { isFromBird, isFromTwilio, isFromVonage } from './signatures.ts';

export interface HookDeps {
  db: Database;
  /** As they are in force. */
  settings: () => {
    sms: SmsGateway | null;
    /** Without a slash at its end; null: nobody can call back. */
    publicUrl: string | null;
  };
}

/** Of one request: who may call, by what proof, and under which address. */
interface Hook {
  gateway: string;
  hookSecret: string;
  takesReplies: boolean;
  publicUrl: string;
}

type Fields = Readonly<Record<string, string>>;
interface Called {
  fields: Fields;
  body: Buffer;
}
type Handle = (
  called: Called,
  request: FastifyRequest,
  reply: FastifyReply,
  hook: Hook,
) => Promise<FastifyReply>;

const BODY_LIMIT = 64 * 1024;

/** That call back. */
const GATEWAYS = ['twilio', 'vonage', 'messagebird', '46elks'];

/** There is one for each gateway, and nothing there unless that is the one in force. */
export function routeHooks(app: HttpServer, deps: HookDeps): void {
  for (const gateway of GATEWAYS) routeGateway(app, deps, gateway);
}

function routeGateway(app: HttpServer, { db, settings }: HookDeps, gateway: string): void {
  const phoneDeps = ({ hookSecret, publicUrl }: Hook) => ({
    db,
    publicUrl,
    replySecret: hookSecret,
  });

  const findHook = (): Hook | null => {
    const { sms, publicUrl } = settings();
    if (sms?.gateway !== gateway || sms.hookSecret === null || publicUrl === null) return null;
    return { gateway, hookSecret: sms.hookSecret, takesReplies: sms.takesReplies, publicUrl };
  };

  const isProved = async (
    { hookSecret, publicUrl }: Hook,
    { url, headers, params, now }: FastifyRequest,
    body: Buffer,
    form: Fields,
  ): Promise<boolean> => {
    const header = (name: string) => [headers[name]].flat()[0];
    const address = publicUrl + url;
    if (gateway === 'twilio') return isFromTwilio(hookSecret, address, form, header('x-twilio-signature'));
    if (gateway === 'vonage') return isFromVonage(hookSecret, header('authorization'), body, now);
    if (gateway === 'messagebird') {
      const given = {
        timestamp: header('messagebird-request-timestamp'),
        url: address,
        body,
        signature: header('messagebird-signature'),
      };
      return isFromBird(hookSecret, given, now);
    }
    return isSame(hookSecret, (params as { secret?: string }).secret);
  };

  const base = gateway === '46elks' ? '/hooks/46elks/:secret' : `/hooks/${gateway}`;
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
          if (!fields || !(await isProved(hook, request, body, fields)))
            return reply.code(403).send({ detail: 'Not signed' });
          return handle({ fields, body }, request, reply, hook);
        },
      });

    route('/status', async ({ fields }, { now }, reply) => {
      const report = readReport(fields);
      if (report?.state === 'received') await db.transaction((tx) => noteReceived(tx, report.id, now));
      if (report?.state === 'lost')
        await db.transaction((tx) => noteLost(tx, report.id, `The provider says: ${report.said}`, now));
      return reply.code(204).send();
    });

    if (gateway !== 'messagebird')
      route('/sms', async ({ fields, body }, { now }, reply, hook) => {
        if (!hook.takesReplies) return answerNothing(reply);
        const from = fields.From ?? fields.from ?? '';
        const text = fields.Body ?? fields.message ?? fields.text ?? '';
        const number = from.startsWith('+') ? from : `+${from}`;
        const id = `${gateway} sms ${nameReply(fields, body)}`;
        const answered = await answerReply(phoneDeps(hook), { id, from: number, text }, now);
        const said = answered.ok ? sayOutcome(answered.value) : REFUSALS[answered.refusal];
        if (said === null || gateway === 'vonage') return reply.code(200).send();
        return gateway === 'twilio'
          ? reply.type('text/xml').send(`<Response><Message>${escapeXml(said)}</Message></Response>`)
          : reply.type('text/plain; charset=utf-8').send(said);
      });

    if (gateway === 'twilio') {
      const actionOf = ({ publicUrl }: Hook, letterId: string) => `${publicUrl}${base}/voice/${letterId}`;
      const read = ({ params }: FastifyRequest) => {
        const { letter_id: letterId = '', attempt = '' } = params as Record<string, string | undefined>;
        return { letterId, attempt: /^[1-9]$/.test(attempt) ? Number(attempt) : null };
      };
      const know = (hook: Hook, { letterId }: { letterId: string }, { CallSid: callId = '' }: Fields) => ({
        letterId,
        callId,
        action: actionOf(hook, letterId),
      });
      route('/voice/:letter_id', async ({ fields }, request, reply, hook) => {
        const pressed = { ...know(hook, read(request), fields), key: fields.Digits };
        return reply.type('text/xml').send(await answerKey(phoneDeps(hook), pressed, request.now));
      });
      route('/voice/:letter_id/pin/:attempt', async ({ fields }, request, reply, hook) => {
        const { attempt } = read(request);
        const typed = { ...know(hook, read(request), fields), attempt, pin: fields.Digits || null };
        return reply.type('text/xml').send(await acknowledgeCall(phoneDeps(hook), typed, request.now));
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

/** What its provider calls it; by all that is in it, where it has no name. */
const nameReply = ({ MessageSid, message_uuid, id }: Fields, body: Buffer): string =>
  MessageSid ?? message_uuid ?? id ?? createHash('sha256').update(body).digest('hex');

/** null: on its way, or nothing that concerns us. */
function readReport(fields: Fields): { id: string; state: 'received' | 'lost'; said: string } | null {
  const id = fields.MessageSid ?? fields.message_uuid ?? fields.id;
  const said = fields.MessageStatus ?? fields.status ?? '';
  if (!id) return null;
  const state = readStatus(said);
  return state && { id, state, said };
}
