import { LONGEST_NAME } from '../../domain/names.ts';
import { AskLink } from '../../engine/pages/ask.tsx';
import { PasskeyForm } from '../../engine/pages/passkey-form.tsx';
import type { NoPasskeys } from '../../engine/requests/passkey-site.ts';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';

interface ShownPasskey {
  id: number;
  name: string;
  /** null: made for this site. */
  host: string | null;
  createdAt: ShownTime;
  lastUsedAt: ShownTime | null;
}

export interface PasskeysProps {
  passkeys: ShownPasskey[];
  /** null: they work here. */
  off: NoPasskeys | null;
  email: string;
  /** What a new one is called unless somebody says otherwise. */
  device: string;
}

export const PASSKEYS = '/profile/passkeys';

export const PasskeysCard = ({ passkeys, off, email, device }: PasskeysProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <section class="card">
      <h2>{say('Passkeys')}</h2>
      <p>
        {say(
          'A phone, computer or security key that signs you in by your finger, face or PIN, without a password. Your password keeps working.',
        )}
      </p>
      {passkeys.length > 0 && (
        <ul class="rows">
          {passkeys.map(({ id, name, host, createdAt, lastUsedAt }) => (
            <li key={id}>
              <div>
                {host === null ? (
                  <strong>{name}</strong>
                ) : (
                  sayWith(language, '<strong>{name}</strong> (for {host} only)', {
                    name,
                    host,
                    strong: (inside) => <strong>{inside}</strong>,
                  })
                )}
                <p class="muted">
                  {lastUsedAt
                    ? sayWith(language, 'since {created}, last used {used}', {
                        created: <Time {...createdAt} />,
                        used: <Time {...lastUsedAt} />,
                      })
                    : sayWith(language, 'since {created}, never used', { created: <Time {...createdAt} /> })}
                </p>
              </div>
              <AskLink
                to={`${PASSKEYS}/${id}/remove`}
                label={say('Remove the passkey {name}', { name })}
                isQuiet
              >
                {say('Remove')}
              </AskLink>
            </li>
          ))}
        </ul>
      )}
      {off ? (
        <Off {...off} />
      ) : (
        <>
          <noscript>
            <p>{say('Adding one needs scripts, which are off in this browser.')}</p>
          </noscript>
          <PasskeyForm action={PASSKEYS} way="make">
            <input type="hidden" name="username" autocomplete="username" value={email} />
            <Field
              id="passkey-name"
              name="name"
              label={say('Name of the new passkey')}
              input={{ value: device, required: true, maxLength: LONGEST_NAME, autocomplete: 'off' }}
            />
            <Field
              id="passkey-password"
              name="current_password"
              label={say('Your password')}
              input={{ type: 'password', required: true, autocomplete: 'current-password' }}
            />
            <button type="submit">{say('Add a passkey')}</button>
          </PasskeyForm>
        </>
      )}
    </section>
  );
};

const Off = (off: NoPasskeys) => {
  const language = useLanguage();
  const { say } = language;
  if (off.reason === 'is_elsewhere')
    return (
      <p>
        {sayWith(language, 'They work at <a>{url}</a> only. Open Tocsin there to add one.', {
          url: off.url,
          a: (inside) => <a href={off.url}>{inside}</a>,
        })}
      </p>
    );
  if (off.reason === 'is_not_secure')
    return <p>{say('They are off: passkeys need HTTPS, and Tocsin is reached without it here.')}</p>;
  return (
    <p>
      {say(
        'They are off: a passkey belongs to a host name, and Tocsin is reached by the IP address {host} here.',
        { host: off.host },
      )}
    </p>
  );
};
