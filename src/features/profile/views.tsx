import type { Role } from '../../domain/accounts/role.ts';
import { LONGEST_NAME } from '../../domain/names.ts';
import { sayRole } from '../../domain/words/say-role.ts';
import { LanguageField } from '../../engine/pages/language-field.tsx';
import { NewPasswordFields } from '../../engine/pages/new-password-fields.tsx';
import { Page } from '../../engine/pages/page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { DevicesCard, type ShownDevice } from './devices-card.tsx';
import { PasskeysCard, type PasskeysProps } from './passkeys-card.tsx';
import { CONTACTS } from './phone-pin-card.tsx';
import { SessionsCard, type ShownSession } from './sessions-card.tsx';

export const PROFILE = '/profile';

export interface ProfileProps {
  visitor: Visitor & { email: string };
  name: string;
  timezone: string;
  timezones: string[];
  /** `none`: what is read in who has chosen none. */
  language: { chosen: string | null; none: string };
  organizations: { id: number; name: string; role: Role }[];
  sessions: ShownSession[];
  devices: ShownDevice[];
  passkeys: PasskeysProps;
  missingPin: string | null;
  done: string | null;
  fault: { field: string; text: string } | null;
}

export const ProfilePage = (props: ProfileProps) => {
  const language = useLanguage();
  const { say } = language;
  const { visitor, name, timezone, timezones, organizations, sessions, devices, passkeys, done, fault } =
    props;
  const { missingPin } = props;
  const errorOf = (field: string) => (fault?.field === field ? fault.text : undefined);
  return (
    <Page title={say('Your profile')} visitor={visitor} current={PROFILE} scripts={['passkeys.js']}>
      <h1>{say('Your profile')}</h1>
      {done !== null && <Notice kind="done">{done}</Notice>}
      {fault && <Notice kind="error">{fault.text}</Notice>}
      <div class="cards">
        <section class="card">
          <h2>{say('You')}</h2>
          <p>
            {sayWith(language, 'You sign in as <strong>{email}</strong>.', {
              email: visitor.email,
              strong: (inside) => <strong>{inside}</strong>,
            })}
          </p>
          <form method="post" action={`${PROFILE}/save`}>
            <Field
              name="name"
              label={say('Name')}
              error={errorOf('name')}
              input={{ value: name, required: true, maxLength: LONGEST_NAME, autocomplete: 'name' }}
            />
            <Field
              name="timezone"
              label={say('Time zone')}
              hint={say(
                'Type a city to search. All times are shown in this zone, and times you write are read in it.',
              )}
              error={errorOf('timezone')}
              input={{
                value: timezone,
                required: true,
                list: 'timezones',
                autocomplete: 'off',
                spellcheck: false,
              }}
            />
            <datalist id="timezones">
              {timezones.map((zone) => (
                <option key={zone} value={zone} />
              ))}
            </datalist>
            <LanguageField
              {...props.language}
              label={say('Language')}
              hint={say('Of pages, mails and messages to you.')}
              error={errorOf('language')}
            />
            <button type="submit" class="button-primary">
              {say('Save')}
            </button>
          </form>
        </section>
        <section class="card">
          <h2>{say('How you are notified')}</h2>
          <p>
            {say('Of alarms that reach you: by mail, SMS, Pushover, Telegram and others, at once or later.')}
          </p>
          {missingPin !== null && (
            <p class="notice notice-error">
              {missingPin} <a href={`${CONTACTS}#pin`}>{say('Set one')}</a>
            </p>
          )}
          <a class="button" href={CONTACTS}>
            {say('Contact methods')}
          </a>
        </section>
        <section class="card">
          <h2>{say('Password')}</h2>
          <form method="post" action={`${PROFILE}/password`}>
            {/* Password managers file the new password under it. */}
            <input type="hidden" name="username" autocomplete="username" value={visitor.email} />
            <Field
              name="current_password"
              label={say('Current password')}
              error={errorOf('current_password')}
              input={{ type: 'password', required: true, autocomplete: 'current-password' }}
            />
            <NewPasswordFields errorOf={errorOf} />
            <p>
              {say('You stay signed in here; everything else that is signed in as you has to sign in again.')}
            </p>
            <button type="submit">{say('Change password')}</button>
          </form>
        </section>
        <section class="card">
          <h2>{say('Your organizations')}</h2>
          {organizations.length === 0 ? (
            <p>
              {say(
                'You are not a member of any organization. Ask an administrator of your lab to invite you.',
              )}
            </p>
          ) : (
            <ul class="rows">
              {organizations.map(({ id, name: organization, role }) => (
                <li key={id}>
                  <span>{organization}</span>
                  <span class="muted">{sayRole(role, language)}</span>
                </li>
              ))}
            </ul>
          )}
        </section>
        <PasskeysCard {...passkeys} />
        <SessionsCard sessions={sessions} />
        <DevicesCard devices={devices} />
        <section class="card">
          <h2>{say('Sign out everywhere')}</h2>
          <p>
            {say('Ends this session and every other one of yours, on all devices, and revokes all tokens.')}
          </p>
          <form method="post" action="/api/v1/auth/logout">
            <button type="submit">{say('Sign out everywhere')}</button>
          </form>
        </section>
      </div>
    </Page>
  );
};
