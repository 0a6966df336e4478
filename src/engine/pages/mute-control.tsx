// Whether a service is muted and how to change that, wherever one service is at hand.

import { h } from 'preact';
import { sayMuting } from '../../domain/equipment/telling.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { type Reader, type ShownTime, showTime, Time } from '../../platform/html/time.tsx';
import type { MutedService } from '../acts/mute.ts';
import { listMuteSpans, USUAL_SPAN } from '../acts/mute-by-page.ts';
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

const MuteControl = ({ serviceId, serviceName, keeps, mutes }: MuteControlModel) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <div id={`mute-${serviceId}`} class="mute-control">
      {mutes.length === 0 ? (
        <form method="post" action={`/alarms/${serviceId}/mute`}>
          <p>{keeps}</p>
          <div class="field">
            <label for={`mute-span-${serviceId}`}>{say('How long')}</label>
            <select
              id={`mute-span-${serviceId}`}
              name="minutes"
              aria-label={say('How long to mute {name}', { name: serviceName })}
            >
              {listMuteSpans(language).map(([minutes, words]) => (
                <option key={words} value={minutes} selected={minutes === USUAL_SPAN}>
                  {words}
                </option>
              ))}
            </select>
          </div>
          <div class="field">
            <label for={`mute-reason-${serviceId}`}>{say('Reason (needed for a mute without an end)')}</label>
            <input
              id={`mute-reason-${serviceId}`}
              name="reason"
              aria-label={say('Reason for muting {name}, needed for a mute without an end', {
                name: serviceName,
              })}
              autocomplete="off"
              maxLength={2000}
            />
          </div>
          <button type="submit" aria-label={say('Mute {name}', { name: serviceName })}>
            {say('Mute')}
          </button>
        </form>
      ) : (
        <>
          <p>
            <strong>{say('Muted.')}</strong> {keeps}
          </p>
          <ul>
            {mutes.map(({ id, by, since, until, reason }) => (
              <li key={id}>
                {until
                  ? sayWith(language, 'By {by}, {since}, until {until}', {
                      by,
                      since: <Time {...since} />,
                      until: <Time {...until} />,
                    })
                  : sayWith(language, 'By {by}, {since}, until somebody unmutes it', {
                      by,
                      since: <Time {...since} />,
                    })}
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
            <button type="submit" aria-label={say('Unmute {name}', { name: serviceName })}>
              {say('Unmute')}
            </button>
          </form>
        </>
      )}
    </div>
  );
};

export const showMuteControl = async (db: ReadDatabase, service: MutedService, reader: Reader) =>
  h(MuteControl, await loadMuteControl(db, service, reader));

async function loadMuteControl(
  db: ReadDatabase,
  { id, name }: MutedService,
  reader: Reader,
): Promise<MuteControlModel> {
  const mutes = await selectActiveMutes(db, id);
  const [telling] = await selectTellings(db, [id]);
  const names = listTargetNames(await selectNamedTargets(db, id), reader.language);
  return {
    serviceId: id,
    serviceName: name,
    keeps: telling ? sayMuting(telling, names, reader.language) : '',
    mutes: mutes.map(({ at, endsAt, ...mute }) => ({
      ...mute,
      since: showTime(at, reader),
      until: endsAt && showTime(endsAt, reader),
    })),
  };
}
