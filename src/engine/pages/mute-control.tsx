// Whether a service is muted and how to change that, wherever one service is at hand.
import { h } from 'preact';
import { sayMuting } from '../../domain/equipment/telling.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type Reader, type ShownTime, showTime, Time } from '../../platform/html/time.tsx';
import type { MutedService } from '../acts/mute.ts';
import { MUTE_SPANS, USUAL_SPAN } from '../acts/mute-by-page.ts';
import { listTargetNames, selectNamedTargets } from '../groups/who-is-told.ts';
import { selectActiveMutes } from '../quiet-times/mutes.ts';
import { selectTellings } from '../services/tellings.ts';

interface MuteControlModel {
  serviceId: number;
  serviceName: string;
  /** Who is not told of what, while it is muted. */
  keeps: string;
  /** The newest first; none: the service is not muted. */
  mutes: { id: number; by: string; since: ShownTime; until: ShownTime | null; reason: string | null }[];
}

const MuteControl = ({ serviceId, serviceName, keeps, mutes }: MuteControlModel) => (
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

export const showMuteControl = async (db: ReadDatabase, service: MutedService, reader: Reader) =>
  h(MuteControl, await loadMuteControl(db, service, reader));

async function loadMuteControl(
  db: ReadDatabase,
  { id, name }: MutedService,
  reader: Reader,
): Promise<MuteControlModel> {
  const mutes = await selectActiveMutes(db, id);
  const [telling] = await selectTellings(db, [id]);
  const names = listTargetNames(await selectNamedTargets(db, id));
  return {
    serviceId: id,
    serviceName: name,
    keeps: telling ? sayMuting(telling, names) : '',
    mutes: mutes.map(({ at, endsAt, ...mute }) => ({
      ...mute,
      since: showTime(at, reader),
      until: endsAt && showTime(endsAt, reader),
    })),
  };
}
