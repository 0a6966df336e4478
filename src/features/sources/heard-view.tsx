// What has come from a source: while nothing has, the page waits for it, and shows the device as soon as there is one.

import type { SettingsFrame } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
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

export const HeardSection = (props: HeardProps) => {
  const { say } = useLanguage();
  return (
    <section class="card" aria-labelledby="heard-title">
      <h2 id="heard-title">{say('What came in')}</h2>
      <Heard {...props} />
    </section>
  );
};

/** What the page asks for again. */
export const Heard = ({ frame, heard }: HeardProps) => {
  const { say } = useLanguage();
  return (
    <Live id="heard" {...heardLive(frame, heard.sourceId)}>
      <div data-part="heard" aria-live="polite">
        {heard.lastSeen === null && heard.devices.length === 0 ? (
          <>
            <p class="waiting">{say('Waiting for the first reading…')}</p>
            <p class="muted">
              {say(
                'Nothing has come from it yet. Its device is shown here as soon as it speaks, and waits to be adopted.',
              )}
            </p>
          </>
        ) : (
          <HeardDevices organization={frame.organization} heard={heard} />
        )}
        {heard.refusals[0] && (
          <p class="error">{say('Something was refused: {reason}', { reason: heard.refusals[0].reason })}</p>
        )}
      </div>
    </Live>
  );
};

const HeardDevices = ({ organization, heard }: { organization: { id: number }; heard: HeardModel }) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <>
      {heard.lastSeen && (
        <p>
          {heard.devices.length === 0
            ? sayWith(language, 'Last heard {when}. No device of it waits to be adopted.', {
                when: <Time {...heard.lastSeen} />,
              })
            : sayWith(language, 'Last heard {when}.', { when: <Time {...heard.lastSeen} /> })}
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
              aria-label={say('Adopt {key}', { key })}
            >
              {say('Adopt')}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
};
