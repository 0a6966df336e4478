// The settings pages by group: their overview, the links beside them and the search read this one list.
import { message } from '../../domain/language/message.ts';

export interface SettingsLink {
  path: string;
  label: string;
  about: string;
  /** Of the whole installation: for keepers alone. */
  isForKeepers?: boolean;
}

export interface SettingsGroup {
  label: string;
  pages: readonly SettingsLink[];
}

const EQUIPMENT: SettingsGroup = {
  label: message('Equipment'),
  pages: [
    {
      path: '/settings/services',
      label: message('Units'),
      about: message('What is watched. Limits and notifications are set on the page of each service.'),
    },
    {
      path: '/settings/channels',
      label: message('Channels'),
      about: message('What each service measures: labels, units and kinds.'),
    },
    {
      path: '/settings/devices',
      label: message('Devices'),
      about: message('What sends the data, and how often it is expected to.'),
    },
    {
      path: '/settings/assets',
      label: message('Assets'),
      about: message('The equipment behind the services.'),
    },
    {
      path: '/settings/locations',
      label: message('Locations'),
      about: message('Where the equipment stands.'),
    },
    {
      path: '/settings/floor-plans',
      label: message('Floor plans'),
      about: message('Pictures of rooms and floors, with the units where they stand.'),
    },
    {
      path: '/settings/what-to-do',
      label: message('What to do'),
      about: message('What somebody does before a unit in alarm, what is in it, and whom to call.'),
    },
  ],
};

const PEOPLE: SettingsGroup = {
  // For translators: of people, and of who is notified next when nobody answers
  label: message('People and escalation'),
  pages: [
    {
      path: '/settings/members',
      label: message('Members'),
      about: message('Who belongs to the organization, and what they may do.'),
    },
    {
      path: '/settings/groups',
      label: message('Groups'),
      about: message('Who is notified when something is wrong.'),
    },
    {
      path: '/settings/rotas',
      label: message('Rotas'),
      about: message('Who is on call when, and who comes next.'),
    },
    {
      path: '/settings/lab-hours',
      label: message('Lab hours'),
      about: message('When people are in the lab, and on which days nobody is.'),
    },
    {
      path: '/audit',
      label: message('Audit log'),
      about: message('Everything that was changed, to search and to download.'),
    },
  ],
};

const DATA: SettingsGroup = {
  label: message('Data sources'),
  pages: [
    {
      path: '/settings/sources',
      label: message('Sources'),
      about: message('Who may hand in data, by a secret of their own.'),
    },
    {
      path: '/settings/gateways',
      label: message('Gateways'),
      about: message('Whose data comes through which gateway.'),
    },
    {
      path: '/settings/readings',
      label: message('Readings'),
      about: message('What is stored, what it occupies, and how long it is kept.'),
    },
  ],
};

const DELIVERY: SettingsGroup = {
  label: message('Delivery'),
  pages: [
    {
      path: '/settings/mail',
      label: message('Mail'),
      about: message('What did not leave, because there is no mail server.'),
    },
    {
      path: '/settings/delivery',
      label: message('Delivery'),
      about: message('How messages leave: mail server, SMS, the public address. For keepers.'),
      isForKeepers: true,
    },
  ],
};

const SCREENS: SettingsGroup = {
  // For translators: that hang in the lab
  label: message('Screens'),
  pages: [
    {
      path: '/settings/wall',
      label: message('Wall'),
      about: message('Screens in the lab that show how things stand, opened by a link.'),
    },
    {
      path: '/settings/door-cards',
      label: message('Door cards'),
      about: message('What whoever stands at a unit sees by its sticker, without signing in.'),
    },
  ],
};

/** What this visitor may open of them. */
export const listSettings = ({ isKeeper }: { isKeeper: boolean }): SettingsGroup[] =>
  [EQUIPMENT, PEOPLE, DATA, DELIVERY, SCREENS].map(({ label, pages }) => ({
    label,
    pages: pages.filter(({ isForKeepers }) => isKeeper || !isForKeepers),
  }));
