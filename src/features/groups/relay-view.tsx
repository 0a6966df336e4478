import type { ComponentChildren, VNode } from 'preact';
import type { Language } from '../../domain/language/speak.ts';
import { sayFailure } from '../../domain/words/failure-words.ts';
import type { Relay } from '../../engine/relays/relays.ts';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';
import type { GroupField } from './refusals.ts';
import { Row } from './row-view.tsx';

export type RelayModel = Pick<Relay, 'id' | 'url' | 'switchId' | 'deadMan' | 'isOn' | 'lastError'> & {
  told: ShownTime | null;
};

interface RelaysProps {
  home: string;
  relays: RelayModel[];
  typed: Record<string, string>;
  faultOf: (field: GroupField) => string | undefined;
}

export const Relays = ({ home, relays, typed, faultOf }: RelaysProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <>
      <p class="muted">
        {say(
          'A switch (Shelly) that is on while a critical alarm of this group holds and nobody has acknowledged it.',
        )}
      </p>
      {relays.length === 0 && <p>{say('None.')}</p>}
      <ul class="rows">
        {relays.map(({ id, url, switchId, deadMan, isOn, told, lastError }) => (
          <Row
            key={id}
            action={`${home}/remove-relay`}
            fields={{ relay_id: String(id) }}
            verb={say('Remove')}
            label={say('Remove {url} switch {number}', { url, number: switchId })}
          >
            {deadMan
              ? sayWith(language, '{url}, switch {number}<muted>, sounds if Tocsin dies</muted>', {
                  url,
                  number: switchId,
                  muted: (inside) => <span class="muted">{inside}</span>,
                })
              : say('{url}, switch {number}', { url, number: switchId })}
            {lastError !== null && (
              <p>
                {sayWith(language, '<strong>{fault}</strong>, tried again all the time', {
                  fault: sayFailure(lastError, language),
                  strong: (inside) => <strong class="error">{inside}</strong>,
                })}
              </p>
            )}
            <p>
              {told
                ? sayTold({ isOn, hasFailed: lastError !== null }, <Time {...told} />, language)
                : say('Not notified yet')}
            </p>
          </Row>
        ))}
      </ul>
      <form method="post" action={`${home}/add-relay`}>
        <Field
          name="relay_url"
          label={say('Address of the switch')}
          hint={say(
            'Such as http://10.0.0.7. Inside your own network it is reached only if the server is set to allow that.',
          )}
          error={faultOf('relay_url')}
          input={{ type: 'url', value: typed.relay_url ?? '', required: true, autocomplete: 'off' }}
        />
        <Field
          name="switch_id"
          label={say('Number of the switch')}
          input={{ type: 'number', min: 0, max: 7, value: typed.switch_id ?? '0', required: true }}
        />
        <Field
          name="relay_password"
          label={say('Password (if it has one)')}
          input={{ type: 'password', autocomplete: 'off' }}
        />
        <label class="check">
          <input type="checkbox" name="dead_man" value="yes" checked={typed.dead_man === 'yes'} />{' '}
          {say(
            'Sounds if Tocsin dies: it goes on by itself when nobody says for two minutes that all is quiet',
          )}
        </label>
        <button type="submit">{say('Add switch')}</button>
      </form>
    </>
  );
};

function sayTold(
  { isOn, hasFailed }: { isOn: boolean | null; hasFailed: boolean },
  time: VNode,
  language: Language,
) {
  const strong = (inside: ComponentChildren) => <strong>{inside}</strong>;
  if (hasFailed)
    return isOn
      ? // For translators: how a siren or lamp stands, and when it was told so
        sayWith(language, 'Last <strong>on</strong>, notified {time}', { strong, time })
      : sayWith(language, 'Last off, notified {time}', { time });
  return isOn
    ? // For translators: how a siren or lamp stands, and when it was told so
      sayWith(language, '<strong>on</strong>, notified {time}', { strong, time })
    : sayWith(language, 'off, notified {time}', { time });
}
