import { SHORTEST_PASSWORD } from '../../domain/accounts/password.ts';
import { LanguageField } from '../../engine/pages/language-field.tsx';
import { Page } from '../../engine/pages/page.tsx';
import { Field } from '../../platform/html/field.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import type { SetUpForm } from './set-up.ts';

export interface SetUpModel {
  /** Everything but the password is filled in again. */
  typed: Omit<SetUpForm, 'password'>;
  isDemo: boolean;
  fault: { field: keyof SetUpForm | null; text: string } | null;
  timeZones: readonly string[];
}

export const SetUpPage = ({ typed, isDemo, fault, timeZones }: SetUpModel) => {
  const { say } = useLanguage();
  // Once it was sent, what was typed counts.
  const isUntouched = fault === null;
  const errorOf = (field: keyof SetUpForm) => (fault?.field === field ? fault.text : undefined);
  return (
    <Page title={say('Set up Tocsin')} visitor={null} scripts={['zone.js']}>
      <div class="narrow">
        <h1>{say('Set up Tocsin')}</h1>
        <p>{say('Nobody can sign in yet. Make the first account; it administers the first organization.')}</p>
        {fault && <Notice kind="error">{fault.text}</Notice>}
        <form method="post" action="/setup">
          <Field
            name="code"
            label={say('Setup code')}
            hint={say('The program said it when it was started. It works once.')}
            error={errorOf('code')}
            input={{ value: typed.code, required: true, autocomplete: 'off', spellcheck: false }}
          />
          <Field
            name="organization"
            label={say('Organization')}
            hint={say('Your lab or institute.')}
            error={errorOf('organization')}
            input={{ value: typed.organization, required: true, autocomplete: 'organization' }}
          />
          <Field
            name="name"
            label={say('Your name')}
            error={errorOf('name')}
            input={{ value: typed.name, required: true, autocomplete: 'name' }}
          />
          <Field
            name="email"
            label={say('Email')}
            hint={say('You sign in with it.')}
            error={errorOf('email')}
            input={{
              type: 'email',
              value: typed.email,
              required: true,
              autocomplete: 'username',
              autocapitalize: 'none',
            }}
          />
          <Field
            name="password"
            label={say('Password')}
            hint={say('At least {least} characters; several words are easiest to remember.', {
              least: SHORTEST_PASSWORD,
            })}
            error={errorOf('password')}
            input={{
              type: 'password',
              required: true,
              autocomplete: 'new-password',
              minLength: SHORTEST_PASSWORD,
            }}
          />
          <Field
            name="timezone"
            label={say('Time zone')}
            hint={say('Such as Europe/Berlin. Times are shown in it.')}
            error={errorOf('timezone')}
            input={{
              value: typed.timezone,
              required: true,
              list: 'time-zones',
              autocomplete: 'off',
              ...(isUntouched && { 'data-own-zone': '' }),
            }}
          />
          <datalist id="time-zones">
            {timeZones.map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
          <LanguageField
            label={say('Language')}
            none={null}
            chosen={typed.language}
            hint={say('Yours, and that of the organization for whoever chooses no other.')}
            error={errorOf('language')}
          />
          <fieldset class="setup-choices">
            <legend>{say('Begin with')}</legend>
            <Choice value="empty" label={say('An empty lab')} isChosen={!isDemo} />
            <Choice
              value="demo"
              label={say('A demo lab beside it: 60 units with a month of made-up data')}
              isChosen={isDemo}
            />
          </fieldset>
          <button type="submit" class="button-primary">
            {say('Set up')}
          </button>
        </form>
      </div>
    </Page>
  );
};

const Choice = ({ value, label, isChosen }: { value: string; label: string; isChosen: boolean }) => (
  <label class="choice-line">
    <input class="choice-mark" type="radio" name="begin" value={value} checked={isChosen} />
    {label}
  </label>
);
