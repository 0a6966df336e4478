import { sayOne } from '../../domain/language/sayable.ts';
import { KEYS, MAIN_LINKS } from '../../engine/pages/navigation.ts';
import { Page } from '../../engine/pages/page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { useLanguage } from '../../platform/html/language.tsx';

export const KeysPage = ({ visitor }: { visitor: Visitor }) => {
  const language = useLanguage();
  const { say } = language;
  const keys: [keys: string[], does: string][] = [
    [['/'], say('Search')],
    ...MAIN_LINKS.flatMap(({ letter, label }): [string[], string][] =>
      letter ? [[['g', letter], sayOne(label, language)]] : [],
    ),
    [['?'], say('Keyboard shortcuts')],
  ];
  return (
    <Page title={say('Keyboard shortcuts')} visitor={visitor} current={KEYS}>
      <h1>{say('Keyboard shortcuts')}</h1>
      <div data-over-content="">
        <dl class="keys">
          {keys.map(([pressed, does]) => (
            <div key={does}>
              <dt>
                {pressed.map((one) => (
                  <kbd key={one}>{one}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <p class="muted">
          {say('Two keys are pressed one after the other. In a field they are only letters.')}
        </p>
        <label class="check needs-script" data-keys-switch="">
          <input type="checkbox" /> {say('Use these keys in this browser')}
        </label>
      </div>
    </Page>
  );
};
