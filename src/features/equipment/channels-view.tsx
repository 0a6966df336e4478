import { CHANNEL_KINDS, type ChannelKind } from '../../domain/equipment/channel-kind.ts';
import { english } from '../../domain/language/english.ts';
import { guessStateWords } from '../../domain/words/state-words.ts';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { Field } from '../../platform/html/field.tsx';
import { Select } from '../../platform/html/select.tsx';
import type { Channel } from './channel-rows.ts';
import { CHANNELS, DEVICES, SERVICES } from './paths.ts';
import type { ChoosableService } from './service-rows.ts';

const KIND_WORDS: Record<ChannelKind, string> = {
  metric: 'metric: a measured value',
  setpoint: 'setpoint: what it should be',
  state: 'state: on, off, open, closed',
  diagnostic: 'diagnostic: battery, signal',
};
const KIND_OPTIONS = CHANNEL_KINDS.map((kind) => [kind, KIND_WORDS[kind]] as const);

interface ChannelsProps {
  frame: SettingsFrame;
  services: ChoosableService[];
  service: ChoosableService | null;
  channels: Channel[];
  fault: Fault | null;
}

export const ChannelsPage = ({ frame, services, service, channels, fault }: ChannelsProps) => (
  <SettingsPage title="Channels" frame={frame} current={CHANNELS}>
    <p>
      What a service measures. Channels appear by themselves with the first data; here they get a label, a
      unit and a kind, and states the words for their two values.
    </p>
    {services.length === 0 ? (
      <p>
        Nothing is watched yet. <a href={settingsPath(DEVICES, frame.organization)}>Adopt a device</a> or{' '}
        <a href={settingsPath(SERVICES, frame.organization)}>create a service</a> first.
      </p>
    ) : (
      <form class="inline-fields" method="get" action={CHANNELS}>
        <input type="hidden" name="organization" value={frame.organization.id} />
        <Select
          name="service"
          label="Service"
          options={services.map(({ id, name }) => [id, name] as const)}
          chosen={service?.id}
        />
        <button type="submit">Show channels</button>
      </form>
    )}
    {service && (
      <section>
        <h2>{service.name}</h2>
        {channels.length === 0 ? (
          <p>No data has come in yet, so no channel is known.</p>
        ) : (
          <ul class="rows card">
            {channels.map((channel) => (
              <ChannelRow key={channel.id} frame={frame} channel={channel} fault={fault} />
            ))}
          </ul>
        )}
      </section>
    )}
  </SettingsPage>
);

const ChannelRow = ({
  frame: { organization },
  channel: { id, serviceId, name, label, unit, sentUnit, kind, offWord, onWord },
  fault,
}: {
  frame: SettingsFrame;
  channel: Channel;
  fault: Fault | null;
}) => {
  const own = fault?.typed.channel_id === String(id) ? fault : null;
  const usual = guessStateWords(name, english);
  const errorOf = (field: string) => (own?.field === field ? own.text : undefined);
  return (
    <li>
      <PostForm
        class="inline-fields"
        organization={organization}
        action={`${CHANNELS}/save?service=${serviceId}`}
        hidden={{ channel_id: id }}
      >
        <p class="inline-name">
          <code>{name}</code>
        </p>
        <Field
          id={`label-${id}`}
          name="label"
          label="Label"
          error={errorOf('label')}
          input={{
            value: own?.typed.label ?? label ?? '',
            maxLength: 100,
            autocomplete: 'off',
            'aria-label': `Label of ${name}`,
          }}
        />
        <Field
          id={`unit-${id}`}
          name="unit"
          label="Unit"
          error={errorOf('unit')}
          input={{
            value: own?.typed.unit ?? unit ?? '',
            maxLength: 20,
            size: 6,
            autocomplete: 'off',
            'aria-label': `Unit of ${name}`,
          }}
        />
        <Select
          id={`kind-${id}`}
          name="kind"
          label="Kind"
          options={KIND_OPTIONS}
          chosen={own?.typed.kind ?? kind}
          error={errorOf('kind')}
        />
        {kind === 'state' && (
          <>
            <Word
              id={id}
              name="off_word"
              label="Word for 0"
              value={own?.typed.off_word ?? offWord}
              usual={usual.off}
              of={name}
            />
            <Word
              id={id}
              name="on_word"
              label="Word for 1"
              value={own?.typed.on_word ?? onWord}
              usual={usual.on}
              of={name}
              error={errorOf('on_word')}
            />
          </>
        )}
        {sentUnit !== null && (
          <label>
            <input type="checkbox" name="agree" value="on" /> It is sent in {sentUnit}: agree to another unit
          </label>
        )}
        <button type="submit" aria-label={`Save ${name}`}>
          Save
        </button>
      </PostForm>
    </li>
  );
};

interface WordProps {
  id: number;
  name: string;
  label: string;
  value: string | null;
  /** What it is called where nobody chose a word. */
  usual: string;
  of: string;
  error?: string | undefined;
}

const Word = ({ id, name, label, value, usual, of, error }: WordProps) => (
  <Field
    id={`${name}-${id}`}
    name={name}
    label={label}
    error={error}
    input={{
      value: value ?? '',
      placeholder: usual,
      maxLength: 40,
      size: 8,
      autocomplete: 'off',
      'aria-label': `${label} of ${of}`,
    }}
  />
);
