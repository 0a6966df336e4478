import { LONGEST_NAME } from '../../domain/names.ts';
import type { SourceKind } from '../../domain/ways-in/ways.ts';
import { type AddressDoubt, AddressWarning } from '../../engine/pages/address-warning.tsx';
import { AskLink } from '../../engine/pages/ask.tsx';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { Copyable } from '../../platform/html/copyable.tsx';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';
import type { NewSecret } from './change-sources.ts';
import type { Place } from './connecting.ts';
import { ConnectingLines } from './connecting-view.tsx';
import { type HeardModel, HeardSection } from './heard-view.tsx';
import { SOURCES } from './paths.ts';
import { listKinds, SHOWN_WAYS } from './shown-ways.ts';
import type { SourceModel } from './source-view.tsx';

interface SourcesProps {
  frame: SettingsFrame;
  sources: (SourceModel & { refusals: number })[];
  fault: Fault | null;
}

export const SourcesPage = ({ frame, sources, fault }: SourcesProps) => {
  const language = useLanguage();
  const { say } = language;
  const { organization } = frame;
  const toFacts = (kind: SourceKind, created: ShownTime) => ({
    speaks: say(SHOWN_WAYS[kind].label),
    made: <Time {...created} />,
  });
  return (
    <SettingsPage title={say('Sources')} frame={frame} current={SOURCES}>
      <p>
        {say(
          'A source is who may hand in telemetry for {organization}: a gateway, a network server, a script. It has a secret and can read nothing.',
          { organization: organization.name },
        )}
      </p>
      <section class="card">
        <h2>{say('Who may hand in data')}</h2>
        {sources.length === 0 && (
          <p>{say('Nobody yet: no data can come in. Make the first source below.')}</p>
        )}
        <ul class="rows">
          {sources.map(({ id, name, kind, created, lastSeen, refusals }) => (
            <li key={id}>
              <div>
                <a class="row-link" href={settingsPath(`${SOURCES}/${id}`, organization)}>
                  {name}
                </a>
                <p class="muted">
                  {lastSeen
                    ? sayWith(language, '{speaks}, secret made {made}, last heard {heard}', {
                        ...toFacts(kind, created),
                        heard: <Time {...lastSeen} />,
                      })
                    : sayWith(language, '{speaks}, secret made {made}', toFacts(kind, created))}
                </p>
                {refusals > 0 && <p class="error">{say('Something was refused: it stands on its page')}</p>}
              </div>
              <div class="actions">
                <AskLink
                  to={settingsPath(`${SOURCES}/renew`, organization)}
                  hidden={{ source_id: id }}
                  label={say('New secret for {name}', { name })}
                  isQuiet
                >
                  {say('New secret')}
                </AskLink>
                <AskLink
                  to={settingsPath(`${SOURCES}/revoke`, organization)}
                  hidden={{ source_id: id }}
                  label={say('Revoke {name}', { name })}
                >
                  {say('Revoke')}
                </AskLink>
              </div>
            </li>
          ))}
        </ul>
        <p class="muted">{say('With a new secret, or revoked, the old secret is refused at once.')}</p>
      </section>
      <section class="card">
        <h2>{say('New source')}</h2>
        <PostForm organization={organization} action={`${SOURCES}/create`}>
          <Field
            name="name"
            label={say('Name')}
            error={fault?.field === 'name' ? fault.text : undefined}
            input={{
              value: fault?.typed.name ?? '',
              required: true,
              maxLength: LONGEST_NAME,
              autocomplete: 'off',
            }}
          />
          <Select
            name="kind"
            label={say('Format')}
            options={listKinds(language)}
            chosen={fault?.typed.kind}
            hint={say('To try it out with a command, take the first.')}
          />
          <button type="submit" class="button-primary">
            {say('Create source')}
          </button>
        </PostForm>
      </section>
    </SettingsPage>
  );
};

interface NewSecretProps {
  frame: SettingsFrame;
  shown: NewSecret;
  heard: HeardModel | null;
  place: Place;
  doubt: AddressDoubt | null;
}

/** The only page that shows it. */
export const NewSecretPage = ({ frame, shown, heard, place, doubt }: NewSecretProps) => {
  const language = useLanguage();
  const { say } = language;
  const { id, name, kind } = shown;
  return (
    <SettingsPage
      title={name}
      frame={frame}
      current={SOURCES}
      up={{ path: SOURCES, label: say('All sources') }}
    >
      <AddressWarning doubt={doubt} />
      <section class="card" aria-labelledby="new-secret">
        <h2 id="new-secret">{say('The secret of {name}', { name })}</h2>
        <p>
          {sayWith(
            language,
            '<strong>Copy it now: it is not shown again.</strong> Whoever has it can hand in data.',
            { strong: (inside) => <strong>{inside}</strong> },
          )}
        </p>
        <Copyable text={place.secret} />
        <ConnectingLines kind={kind} place={place} />
      </section>
      {heard && <HeardSection frame={frame} heard={heard} />}
      <p>
        <a class="button" href={settingsPath(`${SOURCES}/${id}`, frame.organization)}>
          {say('I have copied it')}
        </a>
      </p>
    </SettingsPage>
  );
};
