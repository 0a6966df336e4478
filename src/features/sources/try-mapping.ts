import { readMapped } from '../../domain/ways-in/mapping.ts';
import { type Reader, showTime } from '../../platform/html/time.tsx';
import type { TriedMapping } from './mapping-view.tsx';
import { readSettingsForm } from './settings-text.ts';

const MOST_SHOWN = 100;

/** As if the last body came now, by the settings as they are typed. */
export function tryMapping(
  form: Record<string, string | undefined>,
  lastBody: Buffer | null,
  reader: Reader,
  now: Date,
): TriedMapping {
  const nothing = { readings: [], rejected: [] };
  if (!lastBody) return { ...nothing, refusal: 'Nothing has come yet that could be tried.' };
  const settings = readSettingsForm(form);
  if (!settings.ok) return { ...nothing, refusal: settings.refusal };
  const post = readMapped(lastBody.toString('utf8'), { settings: settings.value, receivedAt: now.getTime() });
  if (typeof post === 'string')
    return { ...nothing, refusal: 'It makes more readings of it than a post may hold.' };
  const readings = post.entries.flatMap(({ target, at, values }) =>
    values.map(([channel, value]) => ({
      device: 'device' in target ? target.device : '',
      channel,
      value,
      at: showTime(new Date(at), reader),
    })),
  );
  const rejected = [...new Set(post.rejected.map(({ reason }) => reason))];
  return { refusal: null, readings: readings.slice(0, MOST_SHOWN), rejected: rejected.slice(0, MOST_SHOWN) };
}
