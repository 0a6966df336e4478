import { WEBHOOK_KINDS } from '../../engine/transports/webhook/kinds.ts';
import { Field } from '../../platform/html/field.tsx';
import { Time } from '../../platform/html/time.tsx';
import type { WebhookModel } from './page-model.ts';
import type { GroupField } from './refusals.ts';
import { SmallForm } from './row-view.tsx';

export const Webhook = ({ webhook, home }: { webhook: WebhookModel; home: string }) => {
  const { id, kindLabel, address, hasSecret, off } = webhook;
  const form = { fields: { webhook_id: String(id) }, whom: `${kindLabel} at ${address}` };
  return (
    <li>
      <div>
        {kindLabel} <code>{address}</code> {hasSecret && <span class="muted">with a secret</span>}
        {off && (
          <p>
            <strong>Off</strong> since <Time {...off.since} />: {off.reason}
          </p>
        )}
      </div>
      <div class="actions">
        {off ? (
          <SmallForm action={`${home}/enable-webhook`} verb="Switch on" {...form} />
        ) : (
          <SmallForm action={`${home}/disable-webhook`} verb="Switch off" {...form} />
        )}
        <SmallForm action={`${home}/remove-webhook`} verb="Remove" {...form} />
      </div>
    </li>
  );
};

const SECRET_HINTS = WEBHOOK_KINDS.flatMap(({ secret }) => secret?.hint ?? []).join(' ');

interface WebhookFormProps {
  home: string;
  typed: Record<string, string>;
  faultOf: (field: GroupField) => string | undefined;
}

export const WebhookForm = ({ home, typed, faultOf }: WebhookFormProps) => (
  <form method="post" action={`${home}/add-webhook`}>
    <div class="field">
      <label for="kind">Kind</label>
      <select id="kind" name="kind" required>
        {WEBHOOK_KINDS.map(({ name, label }) => (
          <option key={name} value={name} selected={name === typed.kind}>
            {label}
          </option>
        ))}
      </select>
      {faultOf('kind') && <p class="error">{faultOf('kind')}</p>}
    </div>
    <Field
      name="url"
      label="Address"
      hint="Starts with https:// or http://, of MQTT with mqtts:// or mqtt://. Addresses inside your own network are reached only if the server is set to allow them."
      error={faultOf('url')}
      input={{ type: 'url', value: typed.url ?? '', required: true, autocomplete: 'off' }}
    />
    <Field
      name="secret"
      label="Secret (for some kinds)"
      hint={SECRET_HINTS}
      error={faultOf('secret')}
      input={{ type: 'password', autocomplete: 'off', maxLength: 500 }}
    />
    <button type="submit">Add webhook</button>
  </form>
);

export const NewSecret = ({ secret, home }: { secret: string; home: string }) => (
  <section class="card" aria-labelledby="new-secret">
    <h2 id="new-secret">The secret of the new webhook</h2>
    <p>
      Copy it to the receiver now: it checks the signature of every message with it. It is not shown again.
    </p>
    <pre>
      <code>{secret}</code>
    </pre>
    <p>
      <a class="button" href={home}>
        I have copied it
      </a>
    </p>
  </section>
);
