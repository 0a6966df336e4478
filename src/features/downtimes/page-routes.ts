import { h } from 'preact';
import type { Language } from '../../domain/language/speak.ts';
import { type ActNotice, sayDone } from '../../domain/words/act-words.ts';
import { cancelDowntime } from '../../engine/acts/cancel-downtime.ts';
import { scheduleDowntime } from '../../engine/acts/schedule-downtime.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { type ActQuestion, AskPage } from '../../engine/pages/ask.tsx';
import { readPageId, routePage } from '../../engine/pages/page-routes.ts';
import { emptyValues, findEndTime, readValues } from '../../engine/pages/schedule-form.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { Database } from '../../platform/db/database.ts';
import { answerFragment, wantsFragment } from '../../platform/html/fragment.ts';
import { renderInPieces } from '../../platform/html/in-pieces.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { loadBoard, loadForm, showWindow } from './page-model.ts';
import { selectWindow } from './page-queries.ts';
import { DowntimeBoard, DowntimesPage } from './page-view.tsx';
import { CANCEL_ANSWERS, SCHEDULE_ANSWERS } from './refusals.ts';
import { routeSeriesPages } from './series-routes.tsx';
import type { DowntimeRowModel } from './views.tsx';

const DONE = { scheduled: 'schedule-downtime', cancelled: 'cancel-downtime' } as const;

const findDone = (done: string | undefined, language: Language): ActNotice | null =>
  done !== undefined && Object.hasOwn(DONE, done) ? sayDone(DONE[done as keyof typeof DONE], language) : null;

const askCancel = ({ fullName, start, end, reason }: DowntimeRowModel, { say }: Language): ActQuestion => ({
  act: say('Cancel the downtime of {name}', { name: fullName }),
  says: [
    say('From {from} until {until}: {reason}', { from: start.label, until: end.label, reason }),
    say('Without it alarms are shown, and people are notified of what then holds.'),
  ],
  canUndo: true,
});

export function routeDowntimePages(
  app: HttpServer,
  deps: { db: Database; publicUrl: () => URL | null },
): void {
  const { db } = deps;
  routeSeriesPages(app, deps);
  const loadPageBoard = (visitor: Visitor, past?: string) =>
    visitor.memberships.length > 0 ? loadBoard(db, visitor, readPageId(past) ?? 1) : null;

  routePage(app, deps, {
    method: 'GET',
    url: '/downtimes',
    show: async ({ request, reply, visitor, query }) => {
      const board = await loadPageBoard(visitor, query.past);
      // The search for a service picks its part out of the whole page.
      if (board && wantsFragment(request) && !request.headers['x-whole-page']) {
        reply.header('cache-control', 'no-store');
        return answerFragment(reply, renderInPieces(h(DowntimeBoard, board), visitor.language));
      }
      const values = emptyValues(readPageId(query.service), visitor);
      const form = await loadForm(db, visitor, { search: query.q?.trim() ?? '', values });
      const news = findDone(query.done, visitor.language);
      return answerPage(reply, 200, h(DowntimesPage, { visitor, news, form, board }));
    },
  });

  routePage(app, deps, {
    method: 'POST',
    url: '/downtimes',
    show: async ({ request, reply, visitor, form: sent }) => {
      const values = readValues(sent);
      const { say } = visitor.language;
      const refuse = async (status: number, text: string) => {
        const board = await loadPageBoard(visitor);
        const form = await loadForm(db, visitor, { search: '', values });
        const news = { kind: 'error' as const, text };
        return answerPage(reply, status, h(DowntimesPage, { visitor, news, form, board }));
      };
      if (!/^[0-9]+$/.test(values.service_id)) return refuse(422, say('Choose a service.'));
      const wanted = {
        serviceId: Number(values.service_id),
        startTime: values.start_time,
        endTime: findEndTime(values, visitor.timezone),
        reason: values.reason,
      };
      const scheduled = await db.transaction((tx) => scheduleDowntime(tx, visitor, wanted, request.now));
      if (!scheduled.ok) {
        const [status, text] = SCHEDULE_ANSWERS[scheduled.refusal];
        return refuse(status, say(text));
      }
      return reply.redirect('/downtimes?done=scheduled', 303);
    },
  });

  routePage(app, deps, {
    method: 'GET',
    url: '/downtimes/:downtime_id/cancel',
    show: async ({ request, reply, visitor, params }) => {
      const organizationIds = visitor.memberships.map(({ organizationId }) => organizationId);
      const id = readPageId(params.downtime_id);
      const found = id === null ? null : await selectWindow(db, id, organizationIds, request.now);
      const window = found && showWindow(found, visitor, false);
      if (!window?.canCancel) return answerErrorPage(reply, 404);
      const asked = { losses: [], action: `/downtimes/${id}/cancel`, form: {}, back: '/downtimes' };
      const question = askCancel(window, visitor.language);
      return answerPage(reply, 200, h(AskPage, { visitor, current: '/downtimes', question, ...asked }));
    },
  });

  routePage(app, deps, {
    method: 'POST',
    url: '/downtimes/:downtime_id/cancel',
    show: async ({ request, reply, visitor, params }) => {
      const id = readPageId(params.downtime_id);
      const cancelled =
        id === null
          ? null
          : await db.transaction((tx) => cancelDowntime(tx, visitor, { downtimeId: id }, request.now));
      if (cancelled?.ok) return reply.redirect('/downtimes?done=cancelled', 303);
      const [status, text] = CANCEL_ANSWERS[cancelled?.refusal ?? 'no_such_downtime'];
      const values = emptyValues(null, visitor);
      const form = await loadForm(db, visitor, { search: '', values });
      const board = await loadPageBoard(visitor);
      const news = { kind: 'error' as const, text: visitor.language.say(text) };
      return answerPage(reply, status, h(DowntimesPage, { visitor, news, form, board }));
    },
  });
}
