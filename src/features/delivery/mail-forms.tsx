import { Field } from '../../platform/html/field.tsx';
import { Select } from '../../platform/html/select.tsx';
import { TextArea } from '../../platform/html/text-area.tsx';
import { DELIVERY, type FormState } from './setting-card.tsx';

export const plain = { autocomplete: 'off', spellcheck: false } as const;

/** Never filled in again. */
export const secretInput = { type: 'password', autocomplete: 'new-password' } as const;
export const secretHint = (hasSecret: boolean): string | undefined =>
  hasSecret ? 'One is set. Leave it empty to keep it.' : undefined;

export const PublicUrlForm = ({ typed, errorOf }: FormState) => (
  <form method="post" action={`${DELIVERY}/public_url`}>
    <Field
      id="public-url"
      name="url"
      label="Address"
      hint="As people type it into a browser, such as https://tocsin.lab.example. Passkeys belong to the address they were made for."
      error={errorOf('url')}
      input={{ ...plain, type: 'url', required: true, value: typed.url ?? '' }}
    />
    <Save />
  </form>
);

const SECURITIES: [string, string][] = [
  ['required', 'Encrypted after the greeting (STARTTLS), or nothing'],
  ['from_start', 'Encrypted from the start (TLS)'],
  ['offered', 'Encrypted where the server offers it'],
];

export const MailServerForm = ({ typed, errorOf, hasSecret }: FormState) => (
  <form method="post" action={`${DELIVERY}/mail_server`}>
    <Field
      name="host"
      label="Server"
      hint="Such as mail.lab.example."
      error={errorOf('host')}
      input={{ ...plain, required: true, value: typed.host ?? '' }}
    />
    <Select
      name="security"
      label="Encryption"
      options={SECURITIES}
      chosen={typed.security}
      error={errorOf('security')}
    />
    <Field
      name="port"
      label="Port"
      hint="Empty: 465 where it is encrypted from the start, else 587."
      error={errorOf('port')}
      input={{ ...plain, inputMode: 'numeric', value: typed.port ?? '' }}
    />
    <Field
      id="mail-user"
      name="user"
      label="User"
      hint="Empty, with an empty password, where the server asks for none."
      error={errorOf('user')}
      input={{ ...plain, value: typed.user ?? '' }}
    />
    <Field
      id="mail-password"
      name="password"
      label="Password"
      hint={secretHint(hasSecret('password'))}
      error={errorOf('password')}
      input={secretInput}
    />
    <TextArea
      name="ca"
      label="Certificate of its authority (PEM)"
      hint="Only where this machine does not know the authority that signed the server's certificate."
      value={typed.ca ?? ''}
      error={errorOf('ca')}
      area={{ rows: 3 }}
    />
    <Save />
  </form>
);

export const MailFromForm = ({ typed, errorOf }: FormState) => (
  <form method="post" action={`${DELIVERY}/mail_from`}>
    <Field
      id="mail-from"
      name="from"
      label="Sender"
      hint="Such as Tocsin <tocsin@lab.example>. The mail server must let it pass."
      error={errorOf('from')}
      input={{ ...plain, required: true, value: typed.from ?? '' }}
    />
    <Save />
  </form>
);

export const Save = () => (
  <button type="submit" class="button-primary">
    Save
  </button>
);
