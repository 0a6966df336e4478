import { type ShownTime, Time } from '../../platform/html/time.tsx';

export interface MuteControlModel {
  serviceId: number;
  serviceName: string;
  /** The newest first; none: the service is not muted. */
  mutes: { id: number; by: string; since: ShownTime; until: ShownTime | null; reason: string | null }[];
}

/** The first is as ever: until somebody unmutes it. */
const SPANS: [minutes: string, words: string][] = [
  ['', 'until unmuted'],
  ['60', 'for 1 hour'],
  ['240', 'for 4 hours'],
  ['1440', 'for 1 day'],
  ['10080', 'for 7 days'],
];

export const MuteControl = ({ serviceId, serviceName, mutes }: MuteControlModel) => (
  <div id={`mute-${serviceId}`} class="mute-control">
    {mutes.length === 0 ? (
      <form
        class="actions"
        method="post"
        action={`/alarms/${serviceId}/mute`}
        hx-post={`/api/v1/services/${serviceId}/mute`}
        hx-target="closest .mute-control"
        hx-swap="outerHTML"
      >
        <input
          name="reason"
          placeholder="Reason (optional)"
          aria-label={`Reason for muting ${serviceName} (optional)`}
          autocomplete="off"
        />
        <select name="minutes" aria-label={`How long to mute ${serviceName}`}>
          {SPANS.map(([minutes, words]) => (
            <option key={words} value={minutes}>
              {words}
            </option>
          ))}
        </select>
        <button type="submit" aria-label={`Mute ${serviceName}`}>
          Mute
        </button>
      </form>
    ) : (
      <>
        <p>Muted: nobody is notified.</p>
        <ul>
          {mutes.map(({ id, by, since, until, reason }) => (
            <li key={id}>
              By {by}, <Time {...since} />
              {until && (
                <>
                  {' '}
                  until <Time {...until} />
                </>
              )}
              {reason !== null && (
                <div>
                  <q>{reason}</q>
                </div>
              )}
            </li>
          ))}
        </ul>
        <form
          method="post"
          action={`/alarms/${serviceId}/unmute`}
          hx-post={`/api/v1/services/${serviceId}/unmute`}
          hx-target="closest .mute-control"
          hx-swap="outerHTML"
        >
          <button type="submit" aria-label={`Unmute ${serviceName}`}>
            Unmute
          </button>
        </form>
      </>
    )}
  </div>
);
