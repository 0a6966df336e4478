import { isTemplate, TEMPLATES } from '../../domain/equipment/templates.ts';
import {
  ALL_GUIDANCE_FIELDS,
  type FoundGuidance,
  GUIDANCE_FIELDS,
  type GuidanceField,
} from '../../domain/guidance/guidance.ts';
import { writeLine } from '../../domain/guidance/markdown.ts';
import type { Language } from '../../domain/language/speak.ts';
import { GuidanceFacts, guidancePath } from '../../engine/pages/guidance-parts.tsx';
import { Page } from '../../engine/pages/page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { UpLink } from '../../platform/html/up-link.tsx';
import { GuidanceFields } from './guidance-fields.tsx';

interface UnitGuidanceProps {
  visitor: Visitor;
  service: { id: number; name: string };
  template: string | null;
  /** What holds without what is said of the unit itself. */
  inherited: FoundGuidance;
  found: FoundGuidance;
  values: Record<GuidanceField, string>;
  canAdminister: boolean;
  fault: { field: string; text: string } | null;
}

export const UnitGuidancePage = (props: UnitGuidanceProps) => {
  const { visitor, service, template, inherited, found, values, canAdminister, fault } = props;
  const language = useLanguage();
  const { say } = language;
  return (
    <Page title={say('What to do: {text}', { text: service.name })} visitor={visitor} current="/services">
      <UpLink path={`/services/${service.id}`} label={service.name} />
      <h1>{say('What to do')}</h1>
      {fault && <Notice kind="error">{say('Nothing was saved. What is wrong is marked below.')}</Notice>}
      {canAdminister ? (
        <form class="card narrow" method="post" action={guidancePath(service.id)}>
          <p>
            {say(
              'Stands on the alarm, in messages and on the sticker. What is left blank here comes from the template, else from the location.',
            )}
          </p>
          <div class="field">
            <label for="template">{say('Template')}</label>
            <select id="template" name="template">
              <option value="">{say('None')}</option>
              {Object.entries(TEMPLATES).map(([name, { label }]) => (
                <option key={name} value={name} selected={name === template}>
                  {say(label)}
                </option>
              ))}
            </select>
          </div>
          <GuidanceFields values={values} fault={fault} hints={sayInherited(inherited, language)} />
          <button type="submit" class="button-primary">
            {say('Save')}
          </button>
        </form>
      ) : (
        <section class="card">
          {isTemplate(template ?? undefined) && template !== null && (
            <p class="muted">{say(TEMPLATES[template as keyof typeof TEMPLATES].label)}</p>
          )}
          <GuidanceFacts found={found} shows={ALL_GUIDANCE_FIELDS} />
        </section>
      )}
    </Page>
  );
};

const LONGEST_HINT = 160;

function sayInherited(inherited: FoundGuidance, { say }: Language): Partial<Record<GuidanceField, string>> {
  const hints: Partial<Record<GuidanceField, string>> = {};
  for (const field of Object.keys(GUIDANCE_FIELDS) as GuidanceField[]) {
    const part = inherited[field];
    if (!part) continue;
    const text = writeLine(part.value, LONGEST_HINT);
    hints[field] =
      part.from === 'template'
        ? say('Left blank, the template says: {text}', { text })
        : say('Left blank, the location says: {text}', { text });
  }
  return hints;
}
