import { sayRefused } from '../../domain/readings/refused.ts';
import { readChirpstack } from '../../domain/ways-in/chirpstack.ts';
import { readMapped } from '../../domain/ways-in/mapping.ts';
import { settleTimes } from '../../domain/ways-in/settle-times.ts';
import type { SourceKind, SourceSettings } from '../../domain/ways-in/source-settings.ts';
import { readTopic } from '../../domain/ways-in/topics.ts';
import { readTts } from '../../domain/ways-in/tts.ts';
import type { Undecoded } from '../../domain/ways-in/undecoded.ts';
import { CodecLost, type Codecs } from '../../engine/codecs/codecs.ts';
import { type Reader, showTime } from '../../platform/html/time.tsx';
import { inSlices } from '../../platform/in-slices.ts';
import { readSettingsForm } from './settings-text.ts';
import type { TriedReading } from './tried-view.tsx';

const MOST_SHOWN = 100;

interface Rules {
  settings: SourceSettings;
  receivedAt: number;
}

const READERS = {
  json: (body: Buffer, rules: Rules) => inSlices(readMapped(body, rules)),
  chirpstack: (body: Buffer, rules: Rules) =>
    readChirpstack(body.toString('utf8'), { event: 'up', ...rules }),
  tts: (body: Buffer, rules: Rules) => readTts(body.toString('utf8'), { device: '?', ...rules }),
  mqtt: (body: Buffer, rules: Rules, topic: string) => inSlices(readTopic(topic, body, rules)),
};
type TriedKind = keyof typeof READERS;

/** Kinds whose settings say what in a body is a reading. */
export const isTried = (kind: SourceKind): kind is TriedKind => Object.hasOwn(READERS, kind);

interface Trial {
  organizationId: number;
  kind: TriedKind;
  form: Record<string, string | undefined>;
  lastBody: Buffer | null;
  lastTopic: string | null;
}

/** As if the last body came now, by the settings as they are typed. */
export async function tryReading(
  codecs: Codecs,
  { organizationId, kind, form, lastBody, lastTopic }: Trial,
  reader: Reader,
  now: Date,
): Promise<TriedReading> {
  const nothing = { readings: [], rejected: [] };
  if (!lastBody) return { ...nothing, refusal: 'Nothing has come yet that could be tried.' };
  const settings = await readSettingsForm(form);
  if (!settings.ok) return { ...nothing, refusal: settings.refusal };
  const rules = { settings: settings.value, receivedAt: now.getTime() };
  const post = await READERS[kind](lastBody, rules, lastTopic ?? '');
  if (typeof post === 'string')
    return { ...nothing, refusal: 'It makes more readings of it than a post may hold.' };
  const faults = post.rejected.map(({ why }) => sayRefused(why));
  for (const undecoded of post.undecoded ?? []) {
    const fault = await tryCodec(
      codecs,
      { sourceId: null, organizationId, code: settings.value.codec ?? '' },
      undecoded,
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
): Promise<string | null> {
  try {
    const outcome = await codecs.decode(codec, uplink);
    if ('failure' in outcome) return `The codec fails: ${outcome.failure}`;
    const [error] = outcome.errors;
    if (error !== undefined) return `The codec says: ${error}`;
    take(outcome.payloads);
    return null;
  } catch (error) {
    if (!(error instanceof CodecLost)) throw error;
    return 'The codec does not end, and cannot be interrupted.';
  }
}
