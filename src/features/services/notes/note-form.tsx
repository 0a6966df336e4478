// A note pinned to the chart: the moment is typed, or chosen by pressing the chart where scripts run.
import { formatTypedTime } from '../../../domain/local-time.ts';
import { useLanguage } from '../../../platform/html/language.tsx';
import type { Reader } from '../../../platform/html/time.tsx';
import { NoteFields } from './note-view.tsx';

export const NoteForm = ({ serviceId, reader }: { serviceId: number; reader: Reader }) => {
  const { say } = useLanguage();
  return (
    <details class="note-form" id="pin-note">
      <summary>{say('Pin a note')}</summary>
      <form method="post" action={`/services/${serviceId}/notes`}>
        <p class="hint" hidden data-pressed>
          {say('Press a moment of the chart to choose it, or N for this form.')}
        </p>
        <NoteFields typed={{ at: formatTypedTime(reader.now, reader.timezone), text: '' }} />
        <button type="submit">{say('Pin it')}</button>
      </form>
    </details>
  );
};
