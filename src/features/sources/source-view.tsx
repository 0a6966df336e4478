import { parseJson } from '../../domain/json/parse-json.ts';
import { message } from '../../domain/language/message.ts';
import { CLOCKS, type SourceClock } from '../../domain/ways-in/common-settings.ts';
import type { SourceSettings } from '../../domain/ways-in/source-settings.ts';
import { type SourceKind, WAYS } from '../../domain/ways-in/ways.ts';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';
import { TextArea } from '../../platform/html/text-area.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';
import type { Place } from './connecting.ts';
import { ConnectingLines } from './connecting-view.tsx';
import { type HeardModel, HeardSection } from './heard-view.tsx';
import { SOURCES } from './paths.ts';
import { RefusalsSection } from './refusals-view.tsx';
import { writeSettingsText } from './settings-text.ts';
import { listKinds, SHOWN_WAYS } from './shown-ways.ts';
import { TRIED_ID, type TriedReading, TriedView } from './tried-view.tsx';

export interface SourceModel {
  id: number;
  name: string;
  kind: SourceKind;
  created: ShownTime;
  lastSeen: ShownTime | null;
}

interface SourceProps {
  frame: SettingsFrame;
  source: SourceModel & { settings: SourceSettings };
  heard: HeardModel;
  /** Of a mapping or a codec: what came last, and what it makes of it. */
  lastBody: string | null;
  lastTopic: string | null;
  tried: TriedReading | null;
  codecOff: { since: ShownTime; reason: string } | null;
  fault: Fault | null;
  /** What is wrong with the settings as they were typed. */
  settingsFault: string | null;
  place: Place;
}

const CLOCK_WORDS = {
  // For translators: answers to “Whose clock counts”
  device: message("The device's"),
  network: message("The network's, that carried it"),
  receipt: message('Ours, when it comes in'),
} satisfies Record<SourceClock, string>;

export const SourcePage = (props: SourceProps) => {
  const language = useLanguage();
  const { say } = language;
  const { frame, source, heard, codecOff, place } = props;
  const { organization } = frame;
  return (
    <SettingsPage
      title={source.name}
      frame={frame}
      current={SOURCES}
      up={{ path: SOURCES, label: say('All sources') }}
    >
      <p>
        {say('{speaks}.', { speaks: say(SHOWN_WAYS[source.kind].label) })}{' '}
        <span class="muted">
          {sayWith(language, 'Secret made {when}.', { when: <Time {...source.created} /> })}
        </span>
      </p>
      <HeardSection frame={frame} heard={heard} />
      <section class="card">
        <h2>{say('How to connect it')}</h2>
        <ConnectingLines kind={source.kind} place={place} />
        <p class="muted">
          {sayWith(
            language,
            'In the place of SECRET goes its secret, which was shown when it was made. If nobody has it any more, make a new one on the <sources>list of sources</sources>. Devices that nobody knows yet appear above and under <devices>Devices</devices>, to be given to a service.',
            {
              sources: (inside) => <a href={settingsPath(SOURCES, organization)}>{inside}</a>,
              devices: (inside) => <a href={settingsPath('/settings/devices', organization)}>{inside}</a>,
            },
          )}
        </p>
      </section>
      {codecOff && (
        <p class="error">
          {sayWith(
            language,
            'Its codec failed three times in a row and was switched off {when}: {reason}. Saving the settings switches it on again.',
            { when: <Time {...codecOff.since} />, reason: codecOff.reason },
          )}
        </p>
      )}
      <RefusalsSection frame={frame} sourceId={source.id} refusals={heard.refusals} />
      <SettingsForm {...props} />
    </SettingsPage>
  );
};

const SettingsForm = ({ source, fault, settingsFault, frame, lastBody, lastTopic, tried }: SourceProps) => {
  const language = useLanguage();
  const { say } = language;
  const typed = fault?.typed;
  const codec = typed?.codec ?? source.settings.codec;
  const hasCodec = codec !== undefined || 'codec' in WAYS[source.kind].settings;
  return (
    <section class="card">
      <h2>{say('Settings')}</h2>
      <PostForm organization={frame.organization} action={`${SOURCES}/${source.id}/change`}>
        <Select
          name="kind"
          label={say('Format')}
          options={listKinds(language)}
          chosen={typed?.kind ?? source.kind}
        />
        <Select
          name="clock"
          label={say('Whose clock counts')}
          options={[
            ['', say('The usual one for its kind')],
            ...CLOCKS.map((clock) => [clock, say(CLOCK_WORDS[clock])] as const),
          ]}
          chosen={typed?.clock ?? source.settings.clock}
          hint={say('Choose ours for devices whose clock is wrong. Own JSON always says its own time.')}
        />
        <TextArea
          name="settings"
          label={say('More, in the words of a lab file')}
          value={typed?.settings ?? writeSettingsText(source.settings)}
          area={{
            rows: 10,
            placeholder: SHOWN_WAYS[source.kind].example,
            ...(tried && liveTry(source.id, frame)),
          }}
          error={settingsFault ?? undefined}
          hint={say('All of it may be left out. Own JSON needs none of it.')}
        />
        {hasCodec && (
          <TextArea
            name="codec"
            label={say('Codec')}
            value={codec ?? ''}
            area={{ rows: 12, placeholder: CODEC_EXAMPLE, ...(tried && liveTry(source.id, frame)) }}
            hint={say(
              'For payloads that come as they are, for the network does not decode them: the JavaScript of its maker, with decodeUplink, Decoder or Decode.',
            )}
          />
        )}
        {tried && (
          <>
            <h3>{say('What it makes of the last body that came')}</h3>
            <TriedView {...tried} />
            {lastBody !== null && (
              <details open>
                <summary>
                  {lastTopic
                    ? sayWith(language, 'The last body that came under <code>{topic}</code>', {
                        topic: lastTopic,
                        code: (inside) => <code>{inside}</code>,
                      })
                    : say('The last body that came')}
                </summary>
                <pre>
                  <code>{layOut(lastBody)}</code>
                </pre>
              </details>
            )}
          </>
        )}
        <button type="submit" class="button-primary">
          {say('Save')}
        </button>
      </PostForm>
    </section>
  );
};

/** While it is being typed, what it makes of the last body is shown. */
const liveTry = (sourceId: number, { organization }: SettingsFrame) => ({
  'hx-post': settingsPath(`${SOURCES}/${sourceId}/try`, organization),
  'hx-trigger': 'input changed delay:300ms',
  'hx-include': 'closest form',
  'hx-target': `#${TRIED_ID}`,
  'hx-swap': 'outerHTML',
});

/** Easier to read, if it is whole. */
function layOut(body: string): string {
  const read = parseJson(body);
  return read === undefined ? body : JSON.stringify(read, null, 2);
}

const CODEC_EXAMPLE = `function decodeUplink(input) {
  var bytes = input.bytes;
  return { data: { temperature: ((bytes[0] << 24 >> 16) | bytes[1]) / 100 } };
}`;
