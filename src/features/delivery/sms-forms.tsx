import type { Language } from '../../domain/language/speak.ts';
import { listMakers, SMS_MAKERS } from '../../engine/providers/sms/makers.ts';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';
import { TextArea } from '../../platform/html/text-area.tsx';
import { plain, Save, secretHint, secretInput } from './mail-forms.tsx';
import { EXAMPLE_BODY } from './read-field.ts';
import { DELIVERY, type FormState } from './setting-card.tsx';

const listChoices = ({ say, tag }: Language): [string, string][] =>
  SMS_MAKERS.map(({ name, label, calls }): [string, string] => [
    name,
    calls ? say('{maker} (SMS and calls)', { maker: label }) : label,
  ]).sort(([, one], [, other]) => one.localeCompare(other, tag, { sensitivity: 'base' }));

export const SmsForm = ({ typed, errorOf, hasSecret }: FormState) => {
  const language = useLanguage();
  const { say } = language;
  const withAccessKey = listMakers(({ preset }) => preset.asks === 'access_key', language);
  return (
    <form method="post" action={`${DELIVERY}/sms`}>
      <Select
        name="gateway"
        label={say('Provider')}
        options={listChoices(language)}
        chosen={typed.gateway}
        error={errorOf('gateway')}
      />
      <Field
        id="sms-from"
        name="from"
        label={say('Sender')}
        hint={say(
          'Your number there, or a name that the provider allows; at {makers} the id of the SMS line.',
          { makers: listMakers(({ sendsByLine }) => sendsByLine, language) },
        )}
        error={errorOf('from')}
        input={{ ...plain, required: true, value: typed.from ?? '' }}
      />
      <Field
        id="sms-user"
        name="user"
        label={say('User')}
        hint={say('The account SID, API key, user or token id. Not for {makers}.', {
          makers: withAccessKey,
        })}
        error={errorOf('user')}
        input={{ ...plain, value: typed.user ?? '' }}
      />
      <Field
        id="sms-password"
        name="password"
        label={say('Password')}
        hint={
          secretHint(hasSecret('password'), language) ??
          say('The auth token, API secret or password. Not for {makers}.', { makers: withAccessKey })
        }
        error={errorOf('password')}
        input={secretInput}
      />
      <Field
        id="sms-token"
        name="token"
        label={say('Access key')}
        hint={secretHint(hasSecret('token'), language) ?? say('Of {makers} only.', { makers: withAccessKey })}
        error={errorOf('token')}
        input={secretInput}
      />
      <Field
        id="sms-hook-secret"
        name="hook_secret"
        label={say('Signing key of callbacks')}
        hint={
          secretHint(hasSecret('hook_secret'), language) ??
          say(
            'By which {signing} sign; for {believed} any long word. Without it nobody is heard. {byPassword} signs by its password.',
            {
              signing: listMakers(
                ({ hooks }) => hooks?.secret === 'hook_secret' && !hooks.isSecretInAddress,
                language,
              ),
              believed: listMakers(({ hooks }) => hooks?.isSecretInAddress, language),
              byPassword: listMakers(({ hooks }) => hooks?.secret === 'password', language),
            },
          )
        }
        error={errorOf('hook_secret')}
        input={secretInput}
      />
      <div class="field">
        <label>
          <input type="checkbox" name="replies" value="on" checked={typed.replies === 'on'} />{' '}
          {say('People acknowledge by answering the SMS')}
        </label>
        {errorOf('replies') && <p class="error">{errorOf('replies')}</p>}
        <p class="hint">
          {say('By {makers}, where the number can receive.', {
            makers: listMakers(({ hooks }) => hooks?.replies, language),
          })}
        </p>
      </div>
      <Field
        id="sms-url"
        name="url"
        label={say('Address of its interface')}
        hint={say('Only where it is not the usual one.')}
        error={errorOf('url')}
        input={{ ...plain, type: 'url', value: typed.gateway === 'custom' ? '' : (typed.url ?? '') }}
      />
      <Save />
    </form>
  );
};

const same = (words: string[]): [string, string][] => words.map((word) => [word, word]);

export const CustomSmsForm = ({ typed, errorOf, hasSecret }: FormState) => {
  const language = useLanguage();
  const { say } = language;
  const keeps =
    hasSecret('url') && say('Set, and not shown again. Leave address, headers and body empty to keep them.');
  return (
    <form method="post" action={`${DELIVERY}/sms`}>
      <input type="hidden" name="gateway" value="custom" />
      <p>
        {sayWith(
          language,
          'A request of your own. In its address and body {to}, {digits}, {from}, {text} and {id} are filled in.',
          {
            to: <code>{'{to}'}</code>,
            digits: <code>{'{digits}'}</code>,
            from: <code>{'{from}'}</code>,
            text: <code>{'{text}'}</code>,
            id: <code>{'{id}'}</code>,
          },
        )}
      </p>
      <Field
        id="custom-url"
        name="url"
        label={say('Address')}
        hint={keeps || say('Such as https://sms.lab.example/send.')}
        error={errorOf('url')}
        input={plain}
      />
      <Select
        id="custom-method"
        name="method"
        label={say('Method')}
        options={same(['POST', 'PUT', 'GET'])}
        chosen={typed.method}
        error={errorOf('method')}
      />
      <Select
        id="custom-encode"
        name="encode"
        label={say('Body as')}
        options={same(['json', 'form'])}
        chosen={typed.encode}
        error={errorOf('encode')}
      />
      <TextArea
        name="headers"
        label={say('Headers')}
        hint={say('One a line, such as Authorization: Bearer 123.')}
        value=""
        error={errorOf('headers')}
        area={{ rows: 2 }}
      />
      <TextArea
        name="body"
        label={say('Body')}
        hint={say('An object of JSON, such as {example}.', { example: EXAMPLE_BODY })}
        value=""
        error={errorOf('body')}
        area={{ rows: 3 }}
      />
      <Field
        id="custom-from"
        name="from"
        label={say('Sender')}
        error={errorOf('from')}
        input={{ ...plain, value: typed.gateway === 'custom' ? (typed.from ?? '') : '' }}
      />
      <Save />
    </form>
  );
};
