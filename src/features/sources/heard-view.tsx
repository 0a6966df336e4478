// What has come from a source: while nothing has, the page waits for it, and shows the device as soon as there is one.
import type { SettingsFrame } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import { Live } from '../../platform/html/live.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';
import { heardLive } from './heard-live.ts';
import type { RefusalModel } from './refusals-view.tsx';

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
  /** Most recent first. */
  refusals: RefusalModel[];
}

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
export const Heard = ({ frame, heard }: HeardProps) => (
  <Live id="heard" {...heardLive(frame, heard.sourceId)}>
    <div data-part="heard" aria-live="polite">
      {heard.lastSeen === null && heard.devices.length === 0 ? (
        <>
          <p class="waiting">Waiting for the first reading…</p>
          <p class="muted">
            Nothing has come from it yet. Its device is shown here as soon as it speaks, and waits to be
            adopted.
          </p>
        </>
      ) : (
        <HeardDevices organization={frame.organization} heard={heard} />
      )}
      {heard.refusals[0] && <p class="error">Something was refused: {heard.refusals[0].reason}</p>}
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
