import { type ShownTime, Time } from '../../platform/html/time.tsx';
import { MUTE_SPANS, USUAL_SPAN } from './mute-by-page.ts';

export interface MuteControlModel {
  serviceId: number;
  serviceName: string;
  /** Who is not told of what, while it is muted. */
  keeps: string;
  /** The newest first; none: the service is not muted. */
  mutes: { id: number; by: string; since: ShownTime; until: ShownTime | null; reason: string | null }[];
}

export const MuteControl = ({ serviceId, serviceName, keeps, mutes }: MuteControlModel) => (
  <div id={`mute-${serviceId}`} class="mute-control">
    {mutes.length === 0 ? (
      <form method="post" action={`/alarms/${serviceId}/mute`}>
        <p>{keeps}</p>
        <div class="field">
          <label for={`mute-span-${serviceId}`}>How long</label>
          <select id={`mute-span-${serviceId}`} name="minutes" aria-label={`How long to mute ${serviceName}`}>
            {MUTE_SPANS.map(([minutes, words]) => (
              <option key={words} value={minutes} selected={minutes === USUAL_SPAN}>
                {words}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for={`mute-reason-${serviceId}`}>Reason (needed for a mute without an end)</label>
          <input
            id={`mute-reason-${serviceId}`}
            name="reason"
            aria-label={`Reason for muting ${serviceName}, needed for a mute without an end`}
            autocomplete="off"
            maxLength={2000}
          />
        </div>
        <button type="submit" aria-label={`Mute ${serviceName}`}>
          Mute
        </button>
      </form>
    ) : (
      <>
        <p>
          <strong>Muted.</strong> {keeps}
        </p>
        <ul>
          {mutes.map(({ id, by, since, until, reason }) => (
            <li key={id}>
              By {by}, <Time {...since} />,{' '}
              {until ? (
                <>
                  until <Time {...until} />
                </>
              ) : (
                'until somebody unmutes it'
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
