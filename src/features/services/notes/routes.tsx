import type { FastifyReply } from 'fastify';
import {
  mayChangeNote,
  mayPinNotes,
  type NoteFault,
  type TypedNote,
} from '../../../domain/equipment/unit-note.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import { formatInstant } from '../../../domain/instant.ts';
import { formatTypedTime } from '../../../domain/local-time.ts';
import type { Result } from '../../../domain/result.ts';
import { selectUnitNote } from '../../../engine/equipment/unit-notes.ts';
import { answerErrorPage, answerPage } from '../../../engine/pages/answer-page.ts';
import { AskPage } from '../../../engine/pages/ask.tsx';
import { readBigId, routePage, type Visit } from '../../../engine/pages/page-routes.ts';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { FormFields } from '../../../platform/http/form-body.ts';
import type { HttpServer } from '../../../platform/http/server.ts';
import { type FoundService, findService } from '../shown-service/find-service.ts';
import { changeNote, type NoteRefusal, pinNote, removeNote } from './change-notes.ts';
import { askRemoval, NotePage } from './note-view.tsx';

interface NoteDeps {
  db: Database;
  publicUrl: () => URL | null;
}

type SignedInVisit = Visit & { visitor: Visitor };

const HALF_A_DAY_MS = 12 * 60 * 60_000;

/** The chart around the moment. */
function chartPath(serviceId: ServiceId, at: Date, done: string, now: Date): string {
  const to = new Date(Math.min(at.getTime() + HALF_A_DAY_MS, now.getTime()));
  const from = new Date(to.getTime() - 2 * HALF_A_DAY_MS);
  const span = { from: formatInstant(from), to: formatInstant(to) };
  return `/services/${serviceId}?${new URLSearchParams({ ...span, done })}#chart`;
}

const typedNote = (form: FormFields): TypedNote => ({ at: form.at ?? '', text: form.text ?? '' });

const FAULTS: readonly string[] = [
  'no_text',
  'text_too_long',
  'unparsable_moment',
  'moment_to_come',
] satisfies NoteFault[];
const isFault = (refusal: NoteRefusal): refusal is NoteFault => FAULTS.includes(refusal);

export function routeNotes(app: HttpServer, deps: NoteDeps): void {
  const { db } = deps;

  const routeOf = (
    method: 'GET' | 'POST',
    path: string,
    show: (visit: SignedInVisit, found: FoundService, noteId: string | null) => Promise<FastifyReply>,
  ) =>
    routePage(app, deps, {
      method,
      url: `/services/:service_id/notes${path}`,
      show: async (visit) => {
        const { request, reply, visitor, params } = visit;
        const found = await findService(db, visitor, params.service_id, request.now);
        const noteId = params.note_id === undefined ? null : readBigId(params.note_id);
        const isNamed = params.note_id === undefined || noteId !== null;
        return found && isNamed ? show(visit, found, noteId) : answerErrorPage(reply, 404);
      },
    });

  /** `done`: the word of what was done. */
  const answer = (
    { reply, visitor, form }: SignedInVisit,
    { service }: FoundService,
    { noteId, done }: { noteId: string | null; done: string },
    result: Result<Date, NoteRefusal>,
  ) => {
    if (result.ok) return reply.redirect(chartPath(service.id, result.value, done, visitor.now), 303);
    const { refusal } = result;
    if (!isFault(refusal)) return reply.redirect(`/services/${service.id}?refused=${refusal}`, 303);
    const props = { visitor, service, noteId, typed: typedNote(form), fault: refusal };
    return answerPage(reply, 422, <NotePage {...props} />);
  };

  routeOf('GET', '', async ({ reply, visitor }, { service, role }) => {
    if (!mayPinNotes(role)) return answerErrorPage(reply, 404);
    const typed = { at: formatTypedTime(visitor.now, visitor.timezone), text: '' };
    return answerPage(reply, 200, <NotePage {...{ visitor, service, noteId: null, typed, fault: null }} />);
  });

  routeOf('POST', '', async (visit, found) => {
    const input = { serviceId: found.service.id, typed: typedNote(visit.form) };
    const pinned = await db.transaction((tx) => pinNote(tx, visit.visitor, input, visit.visitor.now));
    return answer(visit, found, { noteId: null, done: 'pin-note' }, pinned);
  });

  routeOf('GET', '/:note_id', async ({ reply, visitor }, { service, role }, noteId) => {
    const note = noteId === null ? null : await selectUnitNote(db, service.id, noteId);
    if (!note || !mayChangeNote(role, visitor, note)) return answerErrorPage(reply, 404);
    const typed = { at: formatTypedTime(note.at, visitor.timezone), text: note.text };
    return answerPage(reply, 200, <NotePage {...{ visitor, service, noteId, typed, fault: null }} />);
  });

  routeOf('GET', '/:note_id/remove', async ({ reply, visitor }, { service, role }, noteId) => {
    const note = noteId === null ? null : await selectUnitNote(db, service.id, noteId);
    if (!note || !mayChangeNote(role, visitor, note)) return answerErrorPage(reply, 404);
    const path = `/services/${service.id}/notes/${note.id}`;
    const asked = { losses: [], action: `${path}/remove`, form: {}, back: path };
    const question = askRemoval(note, visitor.language);
    return answerPage(
      reply,
      200,
      <AskPage visitor={visitor} current="/services" question={question} {...asked} />,
    );
  });

  for (const [path, done] of [
    ['/:note_id', 'change-note'],
    ['/:note_id/remove', 'remove-note'],
  ] as const)
    routeOf('POST', path, async (visit, found, noteId) => {
      const { visitor, form } = visit;
      const which = { serviceId: found.service.id, noteId: noteId ?? '0' };
      const changed = await db.transaction((tx) =>
        done === 'remove-note'
          ? removeNote(tx, visitor, which, visitor.now)
          : changeNote(tx, visitor, { ...which, typed: typedNote(form) }, visitor.now),
      );
      return answer(visit, found, { noteId, done }, changed);
    });
}
