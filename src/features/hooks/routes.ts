// Where providers call back: that a message arrived, that somebody answered it or pressed a key. Without a signature that
// fits there is nothing here.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findPhone } from '../../engine/accounts/contact-methods.ts';
import { noteLost, noteReceived, selectAnswerable } from '../../engine/outbox/receipts.ts';
import { escapeXml, writeCall } from '../../engine/transports/method/kinds.ts';
import type { Database } from '../../platform/db/database.ts';
import { parseUrlencodedForm } from '../../platform/http/form-body.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import type { SmsGateway } from '../../platform/read-channels.ts';
import { answerableSince, answerKey, answerReply, type PhoneDeps } from './answer-by-phone.ts';
import { selectLetterMethod } from './queries.ts';
import { readStatus } from './read-report.ts';
import { NOTHING_OPEN, REFUSALS, sayOutcome } from './say-outcome.ts';
import { isFromBird, isFromTwilio, isFromVonage, isSame } from './signatures.ts';

export interface HookDeps extends Pick<PhoneDeps, 'acknowledge'> {
  db: Database;
  sms: SmsGateway | null;
  /** Without a slash at its end. */
  publicUrl: string;
}

type Fields = Readonly<Record<string, string>>;
type Handle = (fields: Fields, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

const BODY_LIMIT = 64 * 1024;

export function routeHooks(app: HttpServer, { db, sms, publicUrl, acknowledge }: HookDeps): void {
  if (!sms?.hookSecret) return;
  const { gateway, hookSecret } = sms;
  const deps = { acknowledge, replySecret: hookSecret };

  const isProved = async (
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
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          const fields = readFields(body, request.headers['content-type'] ?? '');
          if (!fields || !(await isProved(request, body, fields)))
            return reply.code(403).send({ detail: 'Not signed' });
          return handle(fields, request, reply);
        },
      });

    route('/status', async (fields, { now }, reply) => {
      const report = readReport(fields);
      if (report?.state === 'received') await db.transaction((tx) => noteReceived(tx, report.id, now));
      if (report?.state === 'lost')
        await db.transaction((tx) => noteLost(tx, report.id, `The provider says: ${report.said}`, now));
      return reply.code(204).send();
    });

    if (sms.takesReplies)
      route('/sms', async (fields, { now }, reply) => {
        const from = fields.From ?? fields.from ?? '';
        const text = fields.Body ?? fields.message ?? fields.text ?? '';
        const number = from.startsWith('+') ? from : `+${from}`;
        const answered = await db.transaction((tx) => answerReply(tx, deps, { from: number, text }, now));
        const said = answered.ok ? sayOutcome(answered.value) : REFUSALS[answered.refusal];
        if (said === null || gateway === 'vonage') return reply.code(200).send();
        return gateway === 'twilio'
          ? reply.type('text/xml').send(`<Response><Message>${escapeXml(said)}</Message></Response>`)
          : reply.type('text/plain; charset=utf-8').send(said);
      });

    if (gateway === 'twilio')
      route('/voice/:letter_id', async (fields, request, reply) => {
        const { now, params } = request;
        const { letter_id: letterId = '' } = params as { letter_id?: string };
        const key = fields.Digits;
        const spoken = await db.transaction(async (tx) => {
          const methodId = /^\d{1,18}$/.test(letterId) ? await selectLetterMethod(tx, letterId) : null;
          const phone = methodId === null ? null : await findPhone(tx, methodId);
          if (phone?.kind !== 'voice') return say(NOTHING_OPEN);
          const alarms = (await selectAnswerable(tx, [phone.id], answerableSince(now))).filter(
            (one) => one.letterId === letterId,
          );
          if (key !== '1' && key !== '2') {
            const text = alarms.map(({ message }) => message).join('. ');
            return writeCall(text, publicUrl + request.url);
          }
          const answered = await answerKey(tx, deps, { phone, alarms, key }, now);
          return say((answered.ok ? sayOutcome(answered.value) : REFUSALS[answered.refusal]) ?? NOTHING_OPEN);
        });
        return reply.type('text/xml').send(spoken);
      });
  });
}

const say = (text: string): string => `<Response><Say>${escapeXml(text)}</Say></Response>`;

function readFields(body: Buffer, type: string): Record<string, string> | null {
  if (/^application\/json/i.test(type)) {
    try {
      const read: unknown = JSON.parse(body.toString('utf8'));
      if (typeof read !== 'object' || read === null) return null;
      return Object.fromEntries(
        Object.entries(read).flatMap(([name, value]) =>
          typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
        ),
      );
    } catch {
      return null;
    }
  }
  try {
    return parseUrlencodedForm(body);
  } catch {
    return null;
  }
}

/** null: on its way, or nothing that concerns us. */
function readReport(fields: Fields): { id: string; state: 'received' | 'lost'; said: string } | null {
  const id = fields.MessageSid ?? fields.message_uuid ?? fields.id;
  const said = fields.MessageStatus ?? fields.status ?? '';
  if (!id) return null;
  const state = readStatus(said);
  return state && { id, state, said };
}
