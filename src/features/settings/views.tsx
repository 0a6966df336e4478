import type { Language } from '../../domain/language/speak.ts';
import { sayCount } from '../../domain/words/say-count.ts';
import { canChooseLanguage, LanguageField } from '../../engine/pages/language-field.tsx';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { formatBytes } from '../../platform/format-bytes.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import type { Counts } from './queries.ts';

export const SETTINGS = '/settings';

interface Card {
  path: string;
  title: string;
  figure: string;
  about: string;
  /** What waits for an administrator. */
  call?: string | undefined;
}

const listCards = (counts: Counts, language: Language): Card[] => {
  const { say } = language;
  return [
    {
      path: '/settings/members',
      title: say('Members'),
      figure: say('{count, plural, one {# person} other {# people}}', { count: counts.members }),
      about: say('Who belongs to the organization, and what they may do.'),
    },
    {
      path: '/settings/services',
      title: say('Services'),
      // For translators: of services
      figure: say('{services, plural, other {# watched}}, {archived, plural, other {# archived}}', {
        services: counts.services,
        archived: counts.archived,
      }),
      about: say('What is watched. Limits and notifications are set on the page of each service.'),
      call: counts.services === 0 ? say('Nothing is watched yet') : undefined,
    },
    {
      path: '/settings/channels',
      title: say('Channels'),
      figure: say('{count, plural, one {# channel} other {# channels}}', { count: counts.channels }),
      about: say('What each service measures: labels, units and kinds.'),
    },
    {
      path: '/settings/devices',
      title: say('Devices'),
      figure: say('{count, plural, one {# device} other {# devices}}', { count: counts.devices }),
      about: say('What sends the data, and how often it is expected to.'),
      call:
        counts.unknownDevices === 0
          ? undefined
          : say(
              '{count, plural, one {# device waiting to be adopted} other {# devices waiting to be adopted}}',
              { count: counts.unknownDevices },
            ),
    },
    {
      path: '/settings/assets',
      title: say('Assets'),
      figure: say('{count, plural, one {# asset} other {# assets}}', { count: counts.assets }),
      about: say('The equipment behind the services.'),
    },
    {
      path: '/settings/locations',
      title: say('Locations'),
      figure: say('{count, plural, one {# location} other {# locations}}', { count: counts.locations }),
      about: say('Where the equipment stands.'),
    },
    {
      path: '/settings/what-to-do',
      title: say('What to do'),
      figure: say('By template and location'),
      about: say('What somebody does before a unit in alarm, what is in it, and whom to call.'),
    },
    {
      path: '/settings/sources',
      title: say('Sources'),
      figure: say('{count, plural, one {# source} other {# sources}}', { count: counts.sources }),
      about: say('Who may hand in data, by a secret of their own.'),
      call: counts.sources === 0 ? say('No data can come in yet') : undefined,
    },
    {
      path: '/settings/groups',
      title: say('Groups'),
      figure: say('{count, plural, one {# group} other {# groups}}', { count: counts.groups }),
      about: say('Who is notified when something is wrong.'),
      call: counts.groups === 0 ? say('Nobody is notified yet') : undefined,
    },
    {
      path: '/settings/mail',
      title: say('Mail'),
      figure: say('Unsent mail'),
      about: say('What did not leave, because there is no mail server.'),
    },
    {
      path: '/settings/readings',
      title: say('Readings'),
      figure:
        counts.readings === 0
          ? say('None counted yet')
          : say('{readings}, {bytes}', {
              readings: sayCount(counts.readings, language),
              bytes: formatBytes(counts.readingBytes, language),
            }),
      about: say('What is stored, what it occupies, and how long it is kept.'),
    },
    {
      path: '/settings/wall',
      title: say('Wall'),
      // For translators: of links that open a screen in the lab
      figure: say('{count, plural, one {# link} other {# links}}', { count: counts.walls }),
      about: say('Screens in the lab that show how things stand, opened by a link.'),
    },
    {
      path: '/audit',
      title: say('Audit log'),
      figure: say('Who did what, and when'),
      about: say('Everything that was changed, to search and to download.'),
    },
  ];
};

const deliveryCard = ({ say }: Language): Card => ({
  path: '/settings/delivery',
  title: say('Delivery'),
  figure: say('Of the whole installation'),
  about: say('How messages leave: mail server, SMS, the public address. For keepers.'),
});

interface OverviewProps {
  frame: SettingsFrame;
  counts: Counts;
  language: string | null;
  fault: Fault | null;
}

export const OverviewPage = ({ frame, counts, language: chosen, fault }: OverviewProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <SettingsPage
      title={say('Settings of {name}', { name: frame.organization.name })}
      frame={frame}
      current={SETTINGS}
    >
      <ul class="tiles">
        {[...listCards(counts, language), ...(frame.visitor.isKeeper ? [deliveryCard(language)] : [])].map(
          ({ path, title, figure, about, call }) => (
            <li key={path} class="card">
              <h2>
                <a href={settingsPath(path, frame.organization)}>{title}</a>
              </h2>
              <p>{figure}</p>
              <p class="muted">{about}</p>
              {call && (
                <p>
                  <strong class="severity severity-warning">{call}</strong>
                </p>
              )}
            </li>
          ),
        )}
      </ul>
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
