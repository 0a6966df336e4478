import type { Language } from '../../domain/language/speak.ts';
import { sayRefused } from '../../domain/readings/refused.ts';
import { settleTimes } from '../../domain/ways-in/settle-times.ts';
import type { Undecoded } from '../../domain/ways-in/undecoded.ts';
import { type SourceKind, WAYS } from '../../domain/ways-in/ways.ts';
import { CodecLost, type Codecs } from '../../engine/codecs/codecs.ts';
import { type Reader, showTime } from '../../platform/html/time.tsx';
import { inSlices } from '../../platform/in-slices.ts';
import { readSettingsForm } from './settings-text.ts';
import type { TriedReading } from './tried-view.tsx';

const MOST_SHOWN = 100;

interface Trial {
  organizationId: number;
  kind: SourceKind;
  form: Record<string, string | undefined>;
  lastBody: Buffer | null;
  lastTopic: string | null;
}

/** As if the last body came now, by the settings as they are typed. null: they do not say what in it is a reading. */
export async function tryReading(
  codecs: Codecs,
  { organizationId, kind, form, lastBody, lastTopic }: Trial,
  reader: Reader,
  now: Date,
): Promise<TriedReading | null> {
  const { language } = reader;
  const { tryOut } = WAYS[kind];
  if (!tryOut) return null;
  const nothing = { readings: [], rejected: [] };
  if (!lastBody) return { ...nothing, refusal: language.say('Nothing has come yet that could be tried.') };
  const settings = await readSettingsForm(form, language);
  if (!settings.ok) return { ...nothing, refusal: settings.refusal };
  const rules = { settings: settings.value, receivedAt: now.getTime() };
  const reading = tryOut(lastBody, lastTopic ?? '', rules);
  const post = 'next' in reading ? await inSlices(reading) : reading;
  if (typeof post === 'string')
    return { ...nothing, refusal: language.say('It makes more readings of it than a post may hold.') };
  const faults = post.rejected.map(({ why }) => sayRefused(why, language));
  for (const undecoded of post.undecoded ?? []) {
    const fault = await tryCodec(
      codecs,
      { sourceId: null, organizationId, code: settings.value.codec ?? '' },
      undecoded,
      language,
    );
    if (fault !== null) faults.push(fault);
  }
  await inSlices(settleTimes(post, rules.receivedAt));
  const readings = post.entries.flatMap(({ target, at, values }) =>
    values.map(([channel, value]) => ({
      device: 'device' in target ? target.device : '',
      channel,
      value,
      at: showTime(new Date(at), reader),
    })),
  );
  const rejected = [...new Set(faults)];
  return { refusal: null, readings: readings.slice(0, MOST_SHOWN), rejected: rejected.slice(0, MOST_SHOWN) };
}

/** null: it made something of it. */
async function tryCodec(
  codecs: Codecs,
  codec: Parameters<Codecs['decode']>[0],
  { uplink, take }: Undecoded,
  { say }: Language,
): Promise<string | null> {
  try {
    const outcome = await codecs.decode(codec, uplink);
    if ('failure' in outcome) return say('The codec fails: {failure}', { failure: outcome.failure });
    const [error] = outcome.errors;
    if (error !== undefined) return say('The codec says: {error}', { error });
    take(outcome.payloads);
    return null;
  } catch (error) {
    if (!(error instanceof CodecLost)) throw error;
    return say('The codec does not end, and cannot be interrupted.');
  }
}
