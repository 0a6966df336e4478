import { sayOne } from '../../domain/language/sayable.ts';
import { WEBHOOK_KINDS } from '../../engine/transports/webhook/kinds.ts';
import { Copyable } from '../../platform/html/copyable.tsx';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Time } from '../../platform/html/time.tsx';
import type { WebhookModel } from './page-model.ts';
import type { GroupField } from './refusals.ts';
import { SmallAsk, SmallForm } from './row-view.tsx';

export const Webhook = ({ webhook, home }: { webhook: WebhookModel; home: string }) => {
  const language = useLanguage();
  const { say } = language;
  const { id, kindLabel, address, hasSecret, off } = webhook;
  const fields = { webhook_id: String(id) };
  const what = { kind: kindLabel, address };
  return (
    <li>
      <div>
        {kindLabel} <code>{address}</code> {hasSecret && <span class="muted">{say('with a secret')}</span>}
        {off && (
          <p>
            {sayWith(language, '<strong>Off</strong> since {time}: {reason}', {
              strong: (inside) => <strong>{inside}</strong>,
              time: <Time {...off.since} />,
              reason: off.reason,
            })}
          </p>
        )}
      </div>
      <div class="actions">
        {off ? (
          <SmallForm
            action={`${home}/enable-webhook`}
            fields={fields}
            verb={say('Switch on')}
            label={say('Switch on {kind} at {address}', what)}
          />
        ) : (
          <SmallAsk
            action={`${home}/disable-webhook`}
            fields={fields}
            verb={say('Switch off')}
            label={say('Switch off {kind} at {address}', what)}
          />
        )}
        <SmallAsk
          action={`${home}/remove-webhook`}
          fields={fields}
          verb={say('Remove')}
          label={say('Remove {kind} at {address}', what)}
        />
      </div>
    </li>
  );
};

interface WebhookFormProps {
  home: string;
  typed: Record<string, string>;
  faultOf: (field: GroupField) => string | undefined;
}

export const WebhookForm = ({ home, typed, faultOf }: WebhookFormProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <form method="post" action={`${home}/add-webhook`}>
      <div class="field">
        <label for="kind">{say('Kind')}</label>
        <select id="kind" name="kind" required>
          {WEBHOOK_KINDS.map(({ name, label }) => (
            <option key={name} value={name} selected={name === typed.kind}>
              {sayOne(label, language)}
            </option>
          ))}
        </select>
        {faultOf('kind') && <p class="error">{faultOf('kind')}</p>}
      </div>
      <Field
        name="url"
        label={say('Address')}
        hint={say(
          'Starts with https:// or http://, of MQTT with mqtts:// or mqtt://. Addresses inside your own network are reached only if the server is set to allow them.',
        )}
        error={faultOf('url')}
        input={{ type: 'url', value: typed.url ?? '', required: true, autocomplete: 'off' }}
      />
      <Field
        name="secret"
        label={say('Secret (for some kinds)')}
        hint={WEBHOOK_KINDS.flatMap(({ secret }) => (secret?.hint ? sayOne(secret.hint, language) : [])).join(
          ' ',
        )}
        error={faultOf('secret')}
        input={{ type: 'password', autocomplete: 'off', maxLength: 500 }}
      />
      <button type="submit">{say('Add webhook')}</button>
    </form>
  );
};

export const NewSecret = ({ secret, home }: { secret: string; home: string }) => {
  const { say } = useLanguage();
  return (
    <section class="card" aria-labelledby="new-secret">
      <h2 id="new-secret">{say('The secret of the new webhook')}</h2>
      <p>
        {say(
          'Copy it to the receiver now: it checks the signature of every message with it. It is not shown again.',
        )}
      </p>
      <Copyable text={secret} />
      <p>
        <a class="button" href={home}>
          {say('I have copied it')}
        </a>
      </p>
    </section>
  );
};
