import { sayOne } from '../../domain/language/sayable.ts';
import type { Language } from '../../domain/language/speak.ts';
import { sayCount } from '../../domain/words/say-count.ts';
import { canChooseLanguage, LanguageField } from '../../engine/pages/language-field.tsx';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { listSettings, type SettingsLink } from '../../engine/pages/settings-list.ts';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { formatBytes } from '../../platform/format-bytes.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import type { Counts } from './queries.ts';

export const SETTINGS = '/settings';

/** Beside what a page is about: how much there is of it, and what waits for an administrator. */
interface Figure {
  figure: string;
  call?: string | undefined;
}

function listFigures(counts: Counts, language: Language): Record<string, Figure> {
  const { say } = language;
  return {
    '/settings/members': {
      figure: say('{count, plural, one {# person} other {# people}}', { count: counts.members }),
    },
    '/settings/services': {
      // For translators: of services
      figure: say('{services, plural, other {# watched}}, {archived, plural, other {# archived}}', {
        services: counts.services,
        archived: counts.archived,
      }),
      call: counts.services === 0 ? say('Nothing is watched yet') : undefined,
    },
    '/settings/channels': {
      figure: say('{count, plural, one {# channel} other {# channels}}', { count: counts.channels }),
    },
    '/settings/devices': {
      figure: say('{count, plural, one {# device} other {# devices}}', { count: counts.devices }),
      call:
        counts.unknownDevices === 0
          ? undefined
          : say(
              '{count, plural, one {# device waiting to be adopted} other {# devices waiting to be adopted}}',
              { count: counts.unknownDevices },
            ),
    },
    '/settings/assets': {
      figure: say('{count, plural, one {# asset} other {# assets}}', { count: counts.assets }),
    },
    '/settings/locations': {
      figure: say('{count, plural, one {# location} other {# locations}}', { count: counts.locations }),
    },
    '/settings/what-to-do': { figure: say('By template and location') },
    '/settings/sources': {
      figure: say('{count, plural, one {# source} other {# sources}}', { count: counts.sources }),
      call: counts.sources === 0 ? say('No data can come in yet') : undefined,
    },
    '/settings/groups': {
      figure: say('{count, plural, one {# group} other {# groups}}', { count: counts.groups }),
      call: counts.groups === 0 ? say('Nobody is notified yet') : undefined,
    },
    '/settings/mail': { figure: say('Unsent mail') },
    '/settings/readings': {
      figure:
        counts.readings === 0
          ? say('None counted yet')
          : say('{readings}, {bytes}', {
              readings: sayCount(counts.readings, language),
              bytes: formatBytes(counts.readingBytes, language),
            }),
    },
    '/settings/wall': {
      // For translators: of links that open a screen in the lab
      figure: say('{count, plural, one {# link} other {# links}}', { count: counts.walls }),
    },
    '/settings/door-cards': {
      // For translators: of stickers; they open for everybody, or lead to the sign-in
      figure: counts.hasDoorCards ? say('Open for everybody') : say('None'),
    },
    '/audit': { figure: say('Who did what, and when') },
    '/settings/delivery': { figure: say('Of the whole installation') },
  };
}

interface OverviewProps {
  frame: SettingsFrame;
  counts: Counts;
  language: string | null;
  fault: Fault | null;
}

export const OverviewPage = ({ frame, counts, language: chosen, fault }: OverviewProps) => {
  const language = useLanguage();
  const { say } = language;
  const figures = listFigures(counts, language);
  return (
    <SettingsPage
      title={say('Settings of {name}', { name: frame.organization.name })}
      frame={frame}
      current={SETTINGS}
    >
      {listSettings(frame.visitor).map(({ label, pages }) => (
        <section key={label} class="settings-tiles">
          <h2>{sayOne(label, language)}</h2>
          <ul class="tiles">
            {pages.map((page) => (
              <Tile key={page.path} page={page} organization={frame.organization} {...figures[page.path]} />
            ))}
          </ul>
        </section>
      ))}
      {canChooseLanguage() && (
        <section class="card">
          <h2>{say('Language')}</h2>
          <PostForm organization={frame.organization} action={`${SETTINGS}/language`}>
            <LanguageField
              label={say('Language of the organization')}
              none={say('None: pages as browsers ask, all else in English')}
              chosen={fault?.typed.language ?? chosen}
              hint={say(
                'Pages, mails to shared addresses, calls and the wall are in this language for whoever chose none.',
              )}
              error={fault?.text}
            />
            <button type="submit" class="button-primary">
              {say('Save')}
            </button>
          </PostForm>
        </section>
      )}
    </SettingsPage>
  );
};

interface TileProps extends Partial<Figure> {
  page: SettingsLink;
  organization: { id: number };
}

const Tile = ({ page: { path, label, about }, organization, figure, call }: TileProps) => {
  const language = useLanguage();
  return (
    <li class="card">
      <h3>
        <a href={settingsPath(path, organization)}>{sayOne(label, language)}</a>
      </h3>
      {figure && <p>{figure}</p>}
      <p class="muted">{sayOne(about, language)}</p>
      {call && (
        <p>
          <strong class="severity severity-warning">{call}</strong>
        </p>
      )}
    </li>
  );
};
