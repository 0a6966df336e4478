import { LONGEST_NAME } from '../../domain/names.ts';
import { PasskeyForm } from '../../engine/pages/passkey-form.tsx';
import type { NoPasskeys } from '../../engine/requests/passkey-site.ts';
import { Field } from '../../platform/html/field.tsx';
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

export const PasskeysCard = ({ passkeys, off, email, device }: PasskeysProps) => (
  <section class="card">
    <h2>Passkeys</h2>
    <p>
      A phone, computer or security key that signs you in by your finger, face or PIN, without a password.
      Your password keeps working.
    </p>
    {passkeys.length > 0 && (
      <ul class="rows">
        {passkeys.map(({ id, name, host, createdAt, lastUsedAt }) => (
          <li key={id}>
            <div>
              <strong>{name}</strong>
              {host !== null && ` (for ${host} only)`}
              <p class="muted">
                since <Time {...createdAt} />,{' '}
                {lastUsedAt ? (
                  <>
                    last used <Time {...lastUsedAt} />
                  </>
                ) : (
                  'never used'
                )}
              </p>
            </div>
            <form method="post" action={`${PASSKEYS}/${id}/remove`}>
              <button type="submit" aria-label={`Remove the passkey ${name}`}>
                Remove
              </button>
            </form>
          </li>
        ))}
      </ul>
    )}
    {off ? (
      <Off {...off} />
    ) : (
      <>
        <noscript>
          <p>Adding one needs scripts, which are off in this browser.</p>
        </noscript>
        <PasskeyForm action={PASSKEYS} way="make">
          <input type="hidden" name="username" autocomplete="username" value={email} />
          <Field
            id="passkey-name"
            name="name"
            label="Name of the new passkey"
            input={{ value: device, required: true, maxLength: LONGEST_NAME, autocomplete: 'off' }}
          />
          <Field
            id="passkey-password"
            name="current_password"
            label="Your password"
            input={{ type: 'password', required: true, autocomplete: 'current-password' }}
          />
          <button type="submit">Add a passkey</button>
        </PasskeyForm>
      </>
    )}
  </section>
);

const Off = (off: NoPasskeys) => {
  if (off.reason === 'is_elsewhere')
    return (
      <p>
        They work at <a href={off.url}>{off.url}</a> only. Open Tocsin there to add one.
      </p>
    );
  if (off.reason === 'is_not_secure')
    return <p>They are off: passkeys need HTTPS, and Tocsin is reached without it here.</p>;
  return (
    <p>
      They are off: a passkey belongs to a host name, and Tocsin is reached by the IP address {off.host} here.
    </p>
  );
};
