import type { Language } from '../../domain/language/speak.ts';
import { Field } from '../../platform/html/field.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';
import { TextArea } from '../../platform/html/text-area.tsx';
import { DELIVERY, type FormState } from './setting-card.tsx';

export const plain = { autocomplete: 'off', spellcheck: false } as const;

/** Never filled in again. */
export const secretInput = { type: 'password', autocomplete: 'new-password' } as const;
export const secretHint = (hasSecret: boolean, { say }: Language): string | undefined =>
  hasSecret ? say('One is set. Leave it empty to keep it.') : undefined;

export const PublicUrlForm = ({ typed, errorOf }: FormState) => {
  const { say } = useLanguage();
  return (
    <form method="post" action={`${DELIVERY}/public_url`}>
      <Field
        id="public-url"
        name="url"
        label={say('Address')}
        hint={say(
          'As people type it into a browser, such as https://tocsin.lab.example. Passkeys belong to the address they were made for.',
        )}
        error={errorOf('url')}
        input={{ ...plain, type: 'url', required: true, value: typed.url ?? '' }}
      />
      <Save />
    </form>
  );
};

const listSecurities = ({ say }: Language): [string, string][] => [
  ['required', say('Encrypted after the greeting (STARTTLS), or nothing')],
  ['from_start', say('Encrypted from the start (TLS)')],
  ['offered', say('Encrypted where the server offers it')],
];

export const MailServerForm = ({ typed, errorOf, hasSecret }: FormState) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <form method="post" action={`${DELIVERY}/mail_server`}>
      <Field
        name="host"
        label={say('Server')}
        hint={say('Such as mail.lab.example.')}
        error={errorOf('host')}
        input={{ ...plain, required: true, value: typed.host ?? '' }}
      />
      <Select
        name="security"
        label={say('Encryption')}
        options={listSecurities(language)}
        chosen={typed.security}
        error={errorOf('security')}
      />
      <Field
        name="port"
        label={say('Port')}
        hint={say('Empty: 465 where it is encrypted from the start, else 587.')}
        error={errorOf('port')}
        input={{ ...plain, inputMode: 'numeric', value: typed.port ?? '' }}
      />
      <Field
        id="mail-user"
        name="user"
        label={say('User')}
        hint={say('Empty, with an empty password, where the server asks for none.')}
        error={errorOf('user')}
        input={{ ...plain, value: typed.user ?? '' }}
      />
      <Field
        id="mail-password"
        name="password"
        label={say('Password')}
        hint={secretHint(hasSecret('password'), language)}
        error={errorOf('password')}
        input={secretInput}
      />
      <TextArea
        name="ca"
        label={say('Certificate of its authority (PEM)')}
        hint={say(
          "Only where this machine does not know the authority that signed the server's certificate.",
        )}
        value={typed.ca ?? ''}
        error={errorOf('ca')}
        area={{ rows: 3 }}
      />
      <Save />
    </form>
  );
};

export const MailFromForm = ({ typed, errorOf }: FormState) => {
  const { say } = useLanguage();
  return (
    <form method="post" action={`${DELIVERY}/mail_from`}>
      <Field
        id="mail-from"
        name="from"
        label={say('Sender')}
        hint={say('Such as {example}. The mail server must let it pass.', {
          example: 'Tocsin <tocsin@lab.example>',
        })}
        error={errorOf('from')}
        input={{ ...plain, required: true, value: typed.from ?? '' }}
      />
      <Save />
    </form>
  );
};

export const Save = () => {
  const { say } = useLanguage();
  return (
    <button type="submit" class="button-primary">
      {say('Save')}
    </button>
  );
};
