import { CHANNEL_KINDS, type ChannelKind } from '../../domain/equipment/channel-kind.ts';
import { message } from '../../domain/language/message.ts';
import { guessStateWords } from '../../domain/words/state-words.ts';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';
import type { Channel } from './channel-rows.ts';
import { CHANNELS, DEVICES, SERVICES } from './paths.ts';
import type { ChoosableService } from './service-rows.ts';

const KIND_WORDS = {
  metric: message('metric: a measured value'),
  setpoint: message('setpoint: what it should be'),
  state: message('state: on, off, open, closed'),
  diagnostic: message('diagnostic: battery, signal'),
} satisfies Record<ChannelKind, string>;

interface ChannelsProps {
  frame: SettingsFrame;
  services: ChoosableService[];
  service: ChoosableService | null;
  channels: Channel[];
  fault: Fault | null;
}

export const ChannelsPage = ({ frame, services, service, channels, fault }: ChannelsProps) => {
  const language = useLanguage();
  const { say, sayAs } = language;
  return (
    <SettingsPage title={say('Channels')} frame={frame} current={CHANNELS}>
      <p>
        {say(
          'What a service measures. Channels appear by themselves with the first data; here they get a label, a unit and a kind, and states the words for their two values.',
        )}
      </p>
      {services.length === 0 ? (
        <p>
          {sayWith(
            language,
            'Nothing is watched yet. <a>Adopt a device</a> or <b>create a service</b> first.',
            {
              a: (inside) => <a href={settingsPath(DEVICES, frame.organization)}>{inside}</a>,
              b: (inside) => <a href={settingsPath(SERVICES, frame.organization)}>{inside}</a>,
            },
          )}
        </p>
      ) : (
        <form class="inline-fields" method="get" action={CHANNELS}>
          <input type="hidden" name="organization" value={frame.organization.id} />
          <Select
            name="service"
            label={sayAs('a piece of equipment', 'Unit')}
            options={services.map(({ id, name }) => [id, name] as const)}
            chosen={service?.id}
          />
          <button type="submit">{say('Show channels')}</button>
        </form>
      )}
      {service && (
        <section>
          <h2>{service.name}</h2>
          {channels.length === 0 ? (
            <p>{say('No data has come in yet, so no channel is known.')}</p>
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
};

const ChannelRow = ({
  frame: { organization },
  channel: { id, serviceId, name, label, unit, sentUnit, kind, offWord, onWord },
  fault,
}: {
  frame: SettingsFrame;
  channel: Channel;
  fault: Fault | null;
}) => {
  const language = useLanguage();
  const { say } = language;
  const own = fault?.typed.channel_id === String(id) ? fault : null;
  const usual = guessStateWords(name, language);
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
          label={say('Label')}
          error={errorOf('label')}
          input={{
            value: own?.typed.label ?? label ?? '',
            maxLength: 100,
            autocomplete: 'off',
            'aria-label': say('Label of {name}', { name }),
          }}
        />
        <Field
          id={`unit-${id}`}
          name="unit"
          label={say('Unit')}
          error={errorOf('unit')}
          input={{
            value: own?.typed.unit ?? unit ?? '',
            maxLength: 20,
            size: 6,
            autocomplete: 'off',
            'aria-label': say('Unit of {name}', { name }),
          }}
        />
        <Select
          id={`kind-${id}`}
          name="kind"
          label={say('Kind')}
          options={CHANNEL_KINDS.map((known) => [known, say(KIND_WORDS[known])] as const)}
          chosen={own?.typed.kind ?? kind}
          error={errorOf('kind')}
        />
        {kind === 'state' && (
          <>
            <Word
              id={id}
              name="off_word"
              label={say('Word for 0')}
              hidden={say('Word for 0 of {name}', { name })}
              value={own?.typed.off_word ?? offWord}
              usual={usual.off}
            />
            <Word
              id={id}
              name="on_word"
              label={say('Word for 1')}
              hidden={say('Word for 1 of {name}', { name })}
              value={own?.typed.on_word ?? onWord}
              usual={usual.on}
              error={errorOf('on_word')}
            />
          </>
        )}
        {sentUnit !== null && (
          <label>
            <input type="checkbox" name="agree" value="on" />{' '}
            {say('It is sent in {sentUnit}: agree to another unit', { sentUnit })}
          </label>
        )}
        <button type="submit" aria-label={say('Save {name}', { name })}>
          {say('Save')}
        </button>
      </PostForm>
    </li>
  );
};

interface WordProps {
  id: number;
  name: string;
  label: string;
  /** The label with the channel, for people who hear the page. */
  hidden: string;
  value: string | null;
  /** What it is called where nobody chose a word. */
  usual: string;
  error?: string | undefined;
}

const Word = ({ id, name, label, hidden, value, usual, error }: WordProps) => (
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
      'aria-label': hidden,
    }}
  />
);
