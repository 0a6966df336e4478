import type { Relay } from '../../engine/relays/relays.ts';
import { Field } from '../../platform/html/field.tsx';
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

export const Relays = ({ home, relays, typed, faultOf }: RelaysProps) => (
  <>
    <p class="muted">
      A switch (Shelly) that is on while a critical alarm of this group holds and nobody has acknowledged it.
    </p>
    {relays.length === 0 && <p>None.</p>}
    <ul class="rows">
      {relays.map(({ id, url, switchId, deadMan, isOn, told, lastError }) => (
        <Row
          key={id}
          action={`${home}/remove-relay`}
          fields={{ relay_id: String(id) }}
          verb="Remove"
          whom={`${url} switch ${switchId}`}
        >
          {url}, switch {switchId}
          {deadMan && <span class="muted">, sounds if Tocsin dies</span>}
          {lastError !== null && (
            <p>
              <strong class="error">{lastError}</strong>, tried again all the time
            </p>
          )}
          <p>
            {told ? (
              <>
                {lastError !== null && 'Last '}
                {isOn ? <strong>on</strong> : 'off'}, told <Time {...told} />
              </>
            ) : (
              'Not told yet'
            )}
          </p>
        </Row>
      ))}
    </ul>
    <form method="post" action={`${home}/add-relay`}>
      <Field
        name="relay_url"
        label="Address of the switch"
        hint="Such as http://10.0.0.7. Inside your own network it is reached only if the server is set to allow that."
        error={faultOf('relay_url')}
        input={{ type: 'url', value: typed.relay_url ?? '', required: true, autocomplete: 'off' }}
      />
      <Field
        name="switch_id"
        label="Number of the switch"
        input={{ type: 'number', min: 0, max: 7, value: typed.switch_id ?? '0', required: true }}
      />
      <Field
        name="relay_password"
        label="Password (if it has one)"
        input={{ type: 'password', autocomplete: 'off' }}
      />
      <label class="check">
        <input type="checkbox" name="dead_man" value="yes" checked={typed.dead_man === 'yes'} /> Sounds if
        Tocsin dies: it goes on by itself when nobody says for two minutes that all is quiet
      </label>
      <button type="submit">Add switch</button>
    </form>
  </>
);
