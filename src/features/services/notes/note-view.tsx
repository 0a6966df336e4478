import { LONGEST_NOTE, type NoteFault, type TypedNote } from '../../../domain/equipment/unit-note.ts';
import { message } from '../../../domain/language/message.ts';
import type { Language } from '../../../domain/language/speak.ts';
import type { UnitNote } from '../../../engine/equipment/unit-notes.ts';
import { type ActQuestion, AskLink } from '../../../engine/pages/ask.tsx';
import { Page } from '../../../engine/pages/page.tsx';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import { useLanguage } from '../../../platform/html/language.tsx';
import { Notice } from '../../../platform/html/notice.tsx';
import { TextArea } from '../../../platform/html/text-area.tsx';
import { TimeField } from '../../../platform/html/time-field.tsx';
import { UpLink } from '../../../platform/html/up-link.tsx';

const FAULTS = {
  no_text: message('Write what there is to say about this moment.'),
  text_too_long: message('A note has at most 1,000 characters.'),
  unparsable_moment: message('This is no time. Write it like 2026-11-15 02:00.'),
  moment_to_come: message('This moment is yet to come.'),
} satisfies Record<NoteFault, string>;

const faultAt = (fault: NoteFault | null, language: Language) => {
  const text = fault === null ? undefined : language.say(FAULTS[fault]);
  return fault === 'no_text' || fault === 'text_too_long' ? { text } : { at: text };
};

/** Moment and words, for a new one and for one that is changed. */
export const NoteFields = ({ typed, fault = null }: { typed: TypedNote; fault?: NoteFault | null }) => {
  const language = useLanguage();
  const { say } = language;
  const faults = faultAt(fault, language);
  return (
    <>
      <TimeField
        id="note-at"
        name="at"
        label={say('Moment')}
        value={typed.at}
        error={faults.at}
        input={{ required: true }}
      />
      <TextArea
        name="text"
        label={say('Note')}
        value={typed.text}
        error={faults.text}
        area={{ required: true, maxLength: LONGEST_NOTE, rows: 3, spellcheck: true }}
      />
    </>
  );
};

interface NotePageProps {
  visitor: Visitor;
  service: { id: number; name: string };
  /** null: a new one. */
  noteId: string | null;
  typed: TypedNote;
  fault: NoteFault | null;
}

export const NotePage = ({ visitor, service, noteId, typed, fault }: NotePageProps) => {
  const { say } = useLanguage();
  const path = `/services/${service.id}/notes`;
  const title = noteId === null ? say('Pin a note') : say('Change a note');
  return (
    <Page title={`${title}: ${service.name}`} visitor={visitor} current="/services">
      <UpLink path={`/services/${service.id}`} label={service.name} />
      <h1>{title}</h1>
      {fault && <Notice kind="error">{say('Nothing was saved. It is said below why.')}</Notice>}
      <form class="card" method="post" action={noteId === null ? path : `${path}/${noteId}`}>
        <NoteFields typed={typed} fault={fault} />
        <button type="submit" class="button-primary">
          {say('Save')}
        </button>
      </form>
      {noteId !== null && (
        <p class="actions">
          <AskLink to={`${path}/${noteId}/remove`}>{say('Remove this note')}</AskLink>
        </p>
      )}
    </Page>
  );
};

/** What is asked before one is removed. */
export const askRemoval = ({ text, authorName }: UnitNote, { say }: Language): ActQuestion => ({
  act: say('Remove this note'),
  says: [
    say('{person} noted: {note}', { person: authorName, note: text }),
    say('It is gone from the curve and from the pages of alarms. The audit log keeps what it said.'),
  ],
  canUndo: false,
});
