import { LONGEST_NAME } from '../../domain/names.ts';
import { SOURCE_KINDS } from '../../domain/ways-in/source-settings.ts';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { Field } from '../../platform/html/field.tsx';
import { Select } from '../../platform/html/select.tsx';
import { Time } from '../../platform/html/time.tsx';
import type { NewSecret } from './change-sources.ts';
import { CONNECTING, KIND_WORDS } from './connecting.ts';
import { SOURCES } from './paths.ts';
import type { SourceModel } from './source-view.tsx';

interface SourcesProps {
  frame: SettingsFrame;
  sources: (SourceModel & { refusals: number })[];
  fault: Fault | null;
  shown: NewSecret | null;
  /** Where telemetry is handed in. */
  address: string;
}

export const SourcesPage = ({ frame, sources, fault, shown, address }: SourcesProps) => {
  const { organization } = frame;
  return (
    <SettingsPage title="Sources" frame={frame} current={SOURCES}>
      <p>
        A source is who may hand in telemetry for {organization.name}: a gateway, a network server, a script.
        It has a secret and can read nothing.
      </p>
      {shown && <Secret {...shown} address={address} home={settingsPath(SOURCES, organization)} />}
      <section class="card">
        <h2>Who may hand in data</h2>
        {sources.length === 0 && <p>Nobody yet: no data can come in.</p>}
        <ul class="rows">
          {sources.map(({ id, name, kind, created, lastSeen, refusals }) => (
            <li key={id}>
              <div>
                <a href={settingsPath(`${SOURCES}/${id}`, organization)}>{name}</a>{' '}
                <span class="muted">
                  {KIND_WORDS[kind]}, secret made <Time {...created} />
                  {lastSeen && (
                    <>
                      , last heard <Time {...lastSeen} />
                    </>
                  )}
                </span>
                {refusals > 0 && (
                  <>
                    {' '}
                    <a href={settingsPath(`${SOURCES}/${id}`, organization)}>Something was refused</a>
                  </>
                )}
              </div>
              <div class="actions">
                <PostForm organization={organization} action={`${SOURCES}/renew`} hidden={{ source_id: id }}>
                  <button type="submit" aria-label={`New secret for ${name}`}>
                    New secret
                  </button>
                </PostForm>
                <PostForm organization={organization} action={`${SOURCES}/revoke`} hidden={{ source_id: id }}>
                  <button type="submit" class="button-danger" aria-label={`Revoke ${name}`}>
                    Revoke
                  </button>
                </PostForm>
              </div>
            </li>
          ))}
        </ul>
        <p class="muted">With a new secret, or revoked, the old secret is refused at once.</p>
      </section>
      <section class="card">
        <h2>New source</h2>
        <PostForm organization={organization} action={`${SOURCES}/create`}>
          <Field
            name="name"
            label="Name"
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
            label="What it speaks"
            options={SOURCE_KINDS.map((kind) => [kind, KIND_WORDS[kind]] as const)}
            chosen={fault?.typed.kind}
          />
          <button type="submit" class="button-primary">
            Create source
          </button>
        </PostForm>
      </section>
    </SettingsPage>
  );
};

const Secret = ({ name, kind, secret, address, home }: NewSecret & { address: string; home: string }) => (
  <section class="card" aria-labelledby="new-secret">
    <h2 id="new-secret">The secret of {name}</h2>
    <p>
      <strong>Copy it now: it is not shown again.</strong> Whoever has it can hand in data.
    </p>
    <pre>
      <code>{secret}</code>
    </pre>
    <p>{CONNECTING[kind](address, secret).words}</p>
    <pre>
      <code>{CONNECTING[kind](address, secret).lines}</code>
    </pre>
    <p>
      <a class="button" href={home}>
        I have copied it
      </a>
    </p>
  </section>
);
