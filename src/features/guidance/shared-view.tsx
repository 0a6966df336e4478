import type { GuidanceField } from '../../domain/guidance/guidance.ts';
import { writeLine } from '../../domain/guidance/markdown.ts';
import { type Sayable, sayOne } from '../../domain/language/sayable.ts';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { GuidanceFields } from './guidance-fields.tsx';
import { WHAT_TO_DO } from './paths.ts';

const LONGEST_LINE = 140;

interface Row {
  path: string;
  whatToDo: string | null;
}

interface TemplatesProps {
  frame: SettingsFrame;
  templates: (Row & { label: Sayable; units: number })[];
  /** Of which something is said. */
  locations: (Row & { name: string })[];
}

export const TemplatesPage = ({ frame, templates, locations }: TemplatesProps) => {
  const language = useLanguage();
  const { say } = language;
  const { organization } = frame;
  const [places, templatesTitle] = ['/settings/locations', say('By template')];
  return (
    <SettingsPage title={say('What to do')} frame={frame} current={WHAT_TO_DO}>
      <p>
        {say(
          'What somebody does who stands before a unit in alarm, what is in it, and whom to call. Written once for a template or a location, it holds for all units there; what a unit says itself comes first, then its template, then its location.',
        )}
      </p>
      <section class="card">
        <h2>{templatesTitle}</h2>
        <ul class="rows">
          {templates.map(({ path, label, units, whatToDo }) => (
            <li key={path}>
              <div>
                <a href={settingsPath(path, organization)}>{sayOne(label, language)}</a>{' '}
                <span class="muted">
                  {say('{count, plural, one {# unit} other {# units}}', { count: units })}
                </span>
                <Said text={whatToDo} />
              </div>
            </li>
          ))}
        </ul>
      </section>
      <section class="card">
        <h2>{say('By location')}</h2>
        <p>
          {sayWith(language, 'Choose it among the <a>locations</a>.', {
            a: (inside) => <a href={settingsPath(places, organization)}>{inside}</a>,
          })}
        </p>
        <ul class="rows">
          {locations.map(({ path, name, whatToDo }) => (
            <li key={path}>
              <div>
                <a href={settingsPath(path, organization)}>{name}</a>
                <Said text={whatToDo} />
              </div>
            </li>
          ))}
        </ul>
      </section>
    </SettingsPage>
  );
};

const Said = ({ text }: { text: string | null }) =>
  text === null ? null : <div class="muted">{writeLine(text, LONGEST_LINE)}</div>;

interface SharedProps {
  frame: SettingsFrame;
  label: Sayable;
  isTemplate: boolean;
  action: string;
  values: Record<GuidanceField, string>;
  fault: Fault | null;
}

export const SharedGuidancePage = ({ frame, label, isTemplate, action, values, fault }: SharedProps) => {
  const language = useLanguage();
  const { say } = language;
  const text = sayOne(label, language);
  return (
    <SettingsPage
      title={say('What to do: {text}', { text })}
      frame={frame}
      current={WHAT_TO_DO}
      up={{ path: WHAT_TO_DO, label: say('What to do') }}
    >
      <p>
        {isTemplate
          ? say('Holds for all units of this template, where they do not say it themselves.')
          : say('Holds for all units at this location, where neither they nor their template say it.')}
      </p>
      <PostForm class="card" organization={frame.organization} action={action}>
        <GuidanceFields values={values} fault={fault} />
        <button type="submit" class="button-primary">
          {say('Save')}
        </button>
      </PostForm>
    </SettingsPage>
  );
};
