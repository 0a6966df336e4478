import { english } from '../../domain/language/english.ts';
import { sayCount } from '../../domain/words/say-count.ts';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import { formatBytes } from '../../platform/format-bytes.ts';
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

const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

const listCards = (counts: Counts): Card[] => [
  {
    path: '/settings/members',
    title: 'Members',
    figure: count(counts.members, 'person', 'people'),
    about: 'Who belongs to the organization, and what they may do.',
  },
  {
    path: '/settings/services',
    title: 'Services',
    figure: `${counts.services} watched, ${counts.archived} archived`,
    about: 'What is watched. Limits and notifications are set on the page of each service.',
    call: counts.services === 0 ? 'Nothing is watched yet' : undefined,
  },
  {
    path: '/settings/channels',
    title: 'Channels',
    figure: count(counts.channels, 'channel'),
    about: 'What each service measures: labels, units and kinds.',
  },
  {
    path: '/settings/devices',
    title: 'Devices',
    figure: count(counts.devices, 'device'),
    about: 'What sends the data, and how often it is expected to.',
    call:
      counts.unknownDevices === 0
        ? undefined
        : `${count(counts.unknownDevices, 'device')} waiting to be adopted`,
  },
  {
    path: '/settings/assets',
    title: 'Assets',
    figure: count(counts.assets, 'asset'),
    about: 'The equipment behind the services.',
  },
  {
    path: '/settings/locations',
    title: 'Locations',
    figure: count(counts.locations, 'location'),
    about: 'Where the equipment stands.',
  },
  {
    path: '/settings/sources',
    title: 'Sources',
    figure: count(counts.sources, 'source'),
    about: 'Who may hand in data, by a secret of their own.',
    call: counts.sources === 0 ? 'No data can come in yet' : undefined,
  },
  {
    path: '/settings/groups',
    title: 'Groups',
    figure: count(counts.groups, 'group'),
    about: 'Who is told when something is wrong.',
    call: counts.groups === 0 ? 'Nobody is told yet' : undefined,
  },
  {
    path: '/settings/mail',
    title: 'Mail',
    figure: 'Kept mail',
    about: 'What did not leave, because there is no mail server.',
  },
  {
    path: '/settings/readings',
    title: 'Readings',
    figure:
      counts.readings === 0
        ? 'None counted yet'
        : `${sayCount(counts.readings, english)}, ${formatBytes(counts.readingBytes)}`,
    about: 'What is stored, what it occupies, and how long it is kept.',
  },
  {
    path: '/settings/wall',
    title: 'Wall',
    figure: count(counts.walls, 'link'),
    about: 'Screens in the lab that show how things stand, opened by a link.',
  },
  {
    path: '/audit',
    title: 'Audit log',
    figure: 'Who did what, and when',
    about: 'Everything that was changed, to search and to download.',
  },
];

const DELIVERY: Card = {
  path: '/settings/delivery',
  title: 'Delivery',
  figure: 'Of the whole installation',
  about: 'How messages leave: mail server, SMS, the public address. For keepers.',
};

export const OverviewPage = ({ frame, counts }: { frame: SettingsFrame; counts: Counts }) => (
  <SettingsPage title={`Settings of ${frame.organization.name}`} frame={frame} current={SETTINGS}>
    <ul class="tiles">
      {[...listCards(counts), ...(frame.visitor.isKeeper ? [DELIVERY] : [])].map(
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
  </SettingsPage>
);
