import { h } from 'preact';
import { message } from '../../domain/language/message.ts';
import { type Sayable, sayOne } from '../../domain/language/sayable.ts';
import { sayMost } from '../../domain/mosts.ts';
import { LONGEST_STAND_IN_DAYS } from '../../domain/on-call/rota.ts';
import { readRotaOfMember } from '../../engine/on-call/rotas.ts';
import { toRota } from '../../engine/outbox/ladders.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { AskPage, readAskedForm } from '../../engine/pages/ask.tsx';
import { isAdministrator } from '../../engine/pages/page.tsx';
import { readPageId, routeOpenPage, routePage } from '../../engine/pages/page-routes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { Database } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { languageFor } from '../../platform/languages/languages.ts';
import { askEnd } from './ask-rota.ts';
import { isCalendarOf, type LinkSigner, readCalendarLink } from './calendar-link.ts';
import { appoint, end, type StandInRefusal, type StandInVerb, swap, takeOver } from './change-stand-ins.ts';
import { routeHoursPage } from './hours-routes.tsx';
import { readForetold, readRotaModels } from './page-model.ts';
import { ON_CALL, OnCallPage, type StandInFault } from './page-view.tsx';
import { routeReceipts } from './receipt-routes.tsx';
import { routeRotaPage } from './rota-routes.tsx';
import { writeCalendar } from './write-calendar.ts';

const VERBS: Record<string, StandInVerb> = { 'take-over': takeOver, appoint, swap, end };

const DONE: Record<string, Sayable> = {
  'take-over': message('You are on call from now on, and are notified of what is wrong.'),
  appoint: message('The stand-in is arranged.'),
  swap: message('The two shifts are swapped.'),
  end: message('The stand-in has ended.'),
};

/** null: the page is not found. */
const FAULTS: Record<StandInRefusal, [field: string, text: Sayable] | null> = {
  no_such_rota: null,
  not_permitted: ['', message('Operators take over themselves, administrators appoint others.')],
  no_such_member: ['account_id', message('Choose a member of the organization.')],
  not_a_time: ['end', message('Say when: a day and a time.')],
  not_later: ['end', message('Choose an end that is later than the beginning, and not over yet.')],
  too_long: [
    'end',
    ({ say }) =>
      say('A stand-in lasts {count, plural, one {# day} other {# days}} at most.', {
        count: LONGEST_STAND_IN_DAYS,
      }),
  ],
  too_many: ['', (language) => sayMost('standIns', language)],
  no_such_shift: ['other', message('Choose two shifts that have not ended.')],
  same_person: ['other', message('Both shifts are of the same person: choose one of somebody else.')],
};

interface OnCallDeps {
  db: Database;
  publicUrl: () => URL | null;
  signer: LinkSigner;
}

export function routeOnCallPages(app: HttpServer, deps: OnCallDeps): void {
  const { db } = deps;
  routeHoursPage(app, deps);
  routeRotaPage(app, deps);
  routeReceipts(app, deps);

  const show = async (
    visitor: Visitor,
    query: Record<string, string | undefined>,
    fault: StandInFault | null = null,
  ) => {
    const [rotas, foretold] = await Promise.all([
      readRotaModels(deps, visitor),
      readForetold(db, visitor, query),
    ]);
    const { done = '' } = query;
    const said =
      fault === null && Object.hasOwn(DONE, done) ? sayOne(DONE[done] ?? '', visitor.language) : null;
    return h(OnCallPage, {
      visitor,
      rotas,
      foretold,
      canAdminister: isAdministrator(visitor),
      done: said,
      fault,
    });
  };

  routePage(app, deps, {
    method: 'GET',
    url: ON_CALL,
    show: async ({ reply, visitor, query }) => answerPage(reply, 200, await show(visitor, query)),
  });

  routePage(app, deps, {
    method: 'GET',
    url: `${ON_CALL}/:rota_id/end`,
    show: async ({ reply, visitor, params, query }) => {
      const form = readAskedForm(query);
      const rotas = await readRotaModels(deps, visitor);
      const question =
        form && askEnd(rotas, { rotaId: params.rota_id, standInId: form.stand_in_id }, visitor.language);
      if (!question) return answerErrorPage(reply, 404);
      const action = `${ON_CALL}/${params.rota_id}/end`;
      const asked = { question, losses: [], action, form, back: ON_CALL };
      return answerPage(reply, 200, h(AskPage, { visitor, current: ON_CALL, ...asked }));
    },
  });

  for (const [word, verb] of Object.entries(VERBS))
    routePage(app, deps, {
      method: 'POST',
      url: `${ON_CALL}/:rota_id/${word}`,
      show: async ({ reply, visitor, params, form }) => {
        const rotaId = readPageId(params.rota_id) ?? 0;
        const changed = await db.transaction((tx) => verb(tx, visitor, { rotaId, form }, visitor.now));
        if (changed.ok) return reply.redirect(`${ON_CALL}?done=${word}`, 303);
        const found = FAULTS[changed.refusal];
        if (found === null) return answerErrorPage(reply, 404);
        const [field, words] = found;
        const text = sayOne(words, visitor.language);
        const status = changed.refusal === 'not_permitted' ? 403 : 422;
        return answerPage(reply, status, await show(visitor, {}, { rotaId, word, field, text, typed: form }));
      },
    });

  routeOpenPage(app, deps, {
    method: 'GET',
    url: '/rota/:token.ics',
    show: async ({ request, reply, params: { token = '' } }) => {
      const link = readCalendarLink(token);
      const stored = link && (await readRotaOfMember(db, link.rotaId, link.accountId, request.now));
      if (!stored || !isCalendarOf(deps.signer, stored, link)) return answerErrorPage(reply, 404);
      const people = new Map(stored.people.map(({ id, name }) => [id, name]));
      const calendar = writeCalendar(
        { id: stored.id, name: stored.name, rota: toRota(stored), people },
        request.now,
        languageFor(...stored.languages),
      );
      return reply.type('text/calendar; charset=utf-8').send(calendar);
    },
  });
}
