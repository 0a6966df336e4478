// What has come from a source: while nothing has, the page waits for it, and shows the device as soon as there is one.
import type { SettingsFrame } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import { Live } from '../../platform/html/live.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';
import { SOURCES } from './paths.ts';

interface HeardDevice {
  id: number;
  key: string;
  model: string | null;
  said: { channel: string; value: string }[];
}

export interface HeardModel {
  sourceId: number;
  lastSeen: ShownTime | null;
  /** Those that wait to be adopted, the one heard last first. */
  devices: HeardDevice[];
  /** Why something was refused, most recent first. */
  refusal: string | null;
}

const WAITING_SECONDS = 2;
const USUAL_SECONDS = 15;

interface HeardProps {
  frame: Pick<SettingsFrame, 'organization' | 'visitor'>;
  heard: HeardModel;
}

export const HeardSection = (props: HeardProps) => (
  <section class="card" aria-labelledby="heard-title">
    <h2 id="heard-title">What came in</h2>
    <Heard {...props} />
  </section>
);

/** What the page asks for again. */
export const Heard = ({ frame: { organization, visitor }, heard }: HeardProps) => (
  <Live
    id="heard"
    path={settingsPath(`${SOURCES}/${heard.sourceId}/heard`, organization)}
    timeZone={visitor.timezone}
    everySeconds={heard.devices.length === 0 ? WAITING_SECONDS : USUAL_SECONDS}
  >
    <div data-part="heard" aria-live="polite">
      {heard.lastSeen === null && heard.devices.length === 0 ? (
        <>
          <p class="waiting">Waiting for the first reading…</p>
          <p class="muted">
            Nothing has come from it yet. Its device is shown here as soon as it speaks. That the sender is
            told of an unknown device is right: it waits to be adopted.
          </p>
        </>
      ) : (
        <HeardDevices organization={organization} heard={heard} />
      )}
      {heard.refusal !== null && <p class="error">Something was refused: {heard.refusal}</p>}
    </div>
  </Live>
);

const HeardDevices = ({ organization, heard }: { organization: { id: number }; heard: HeardModel }) => (
  <>
    {heard.lastSeen && (
      <p>
        Last heard <Time {...heard.lastSeen} />.
        {heard.devices.length === 0 && ' No device of it waits to be adopted.'}
      </p>
    )}
    <ul class="rows">
      {heard.devices.map(({ id, key, model, said }) => (
        <li key={id}>
          <div>
            <code>{key}</code> {model !== null && <span class="muted">{model}</span>}
            {said.length > 0 && (
              <p class="muted">{said.map(({ channel, value }) => `${channel} ${value}`).join(', ')}</p>
            )}
          </div>
          <a
            class="button button-primary"
            href={settingsPath(`/settings/devices/${id}`, organization)}
            aria-label={`Adopt ${key}`}
          >
            Adopt
          </a>
        </li>
      ))}
    </ul>
  </>
);
