import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { type EditFields, type LostLimit, withPlainSigns } from '../../domain/equipment/edit-form.ts';
import { isId, type ServiceId } from '../../domain/ids.ts';
import { BAND_LABELS } from '../../domain/judging/band.ts';
import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import { sayWhyNoAdvice } from '../../engine/advice/failure-words.ts';
import { AnalysisFailure } from '../../engine/advice/start-analyst.ts';
import { languageOf } from '../../engine/requests/language-of.ts';
import { readerOf, requesterOf } from '../../engine/requests/requester-of.ts';
import type { Database } from '../../platform/db/database.ts';
import { answerFragment, renderFragment } from '../../platform/html/fragment.ts';
import { renderInPieces } from '../../platform/html/in-pieces.tsx';
import { type Reader, showTime } from '../../platform/html/time.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { openGate } from '../../platform/turns.ts';
import { type TriedEdit, type TryRefusal, tryEdit } from './try-edit.ts';
import { BacktestNotice, TriedLimits } from './views.tsx';

/** A fragment of the service page, not of the contract: what went wrong is said in the place of the figures. */
const ANSWERS = {
  signed_out: [401, message('Sign in again to try these limits.')],
  no_such_service: [404, message('Service not found')],
  not_administrator: [403, message('Organization administrator role required to edit this service')],
  no_readings: [200, message('There are not enough stored readings to try these limits on.')],
  busy: [503, message('Several backtests are running already. Try again in a moment.')],
} as const satisfies Record<TryRefusal, readonly [status: number, text: string]>;

export function routeBacktest(app: HttpServer, { db }: { db: Database }): void {
  // An analysis takes a core for a moment.
  const gate = openGate({ atOnce: 2, leavesRoom: true, mostWaiting: 11 });

  app.route({
    method: 'POST',
    url: '/services/:service_id/backtest',
    schema: { hide: true },
    handler: async (request, reply) => {
      const { service_id } = request.params as { service_id: string };
      const serviceId = findServiceId(service_id);
      const language = languageOf(request);
      const { say } = language;
      const answer = (status: number, text: string) => answerNotice(reply, status, text, language);
      const refuse = (refusal: TryRefusal) => {
        const [status, text] = ANSWERS[refusal];
        return answer(status, say(text));
      };
      if (serviceId === null) return refuse('no_such_service');
      const fields = withPlainSigns((request.body ?? {}) as EditFields, language);
      const attempt = { serviceId, fields, signal: findAbandonment(reply) };
      try {
        const tried = await tryEdit({ db, gate }, requesterOf(request), attempt, request.now);
        if (tried.ok)
          return answerFragment(
            reply,
            renderInPieces(h(TriedLimits, toView(readerOf(request), tried.value)), language),
          );
        const { refusal } = tried;
        return typeof refusal === 'object' ? answer(200, say(refusal.fault)) : refuse(refusal);
      } catch (error) {
        if (attempt.signal.aborted) return answer(503, say('Nobody waited for the answer.'));
        if (!(error instanceof AnalysisFailure)) throw error;
        request.log.error({ err: error }, 'backtest failed');
        return answer(500, sayWhyNoAdvice(error.message, language));
      }
    },
  });
}

const findServiceId = (text: string): ServiceId | null =>
  /^[0-9]+$/.test(text) && isId(Number(text)) ? (Number(text) as ServiceId) : null;

/** Whoever types on asks again, and the browser hangs up on the earlier question: nobody works on that any more. */
function findAbandonment(reply: FastifyReply): AbortSignal {
  const abandonment = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) abandonment.abort();
  });
  return abandonment.signal;
}

const answerNotice = (reply: FastifyReply, status: number, text: string, language: Language): FastifyReply =>
  answerFragment(reply.code(status), renderFragment(h(BacktestNotice, { text }), language));

function toView(reader: Reader, { subject, backtest, isWholeWindow, lost }: TriedEdit) {
  const { from, readings, current, proposed } = backtest;
  const since = isWholeWindow ? null : showTime(new Date(from), reader);
  return {
    subject: subject ?? reader.language.say('all channels without limits of their own'),
    since,
    readings,
    current,
    proposed,
    warnings: lost.map((limit) => warn(limit, reader.language)),
  };
}

function warn({ band: name, typed, why }: LostLimit, { say }: Language): string {
  const band = say(BAND_LABELS[name]);
  return why === 'lone_zero'
    ? say('{band}: a limit of 0 without delay and sustained time is not saved.', { band })
    : say('{band}: {typed} is not a number, so no limit is saved. Write decimals with a point.', {
        band,
        typed,
      });
}
