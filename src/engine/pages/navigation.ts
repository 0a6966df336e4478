// The pages that every page leads to: the frame, the keys and the search read this one list.
import { message } from '../../domain/language/message.ts';

export interface NavigationLink {
  path: string;
  label: string;
  /** Opens it after `g`. */
  letter?: string;
  /** A phone has room for it beside the menu. */
  isOnPhones?: boolean;
}

export const OVERVIEW = '/overview';

export const MAIN_LINKS: readonly NavigationLink[] = [
  { path: OVERVIEW, label: message('Overview'), letter: 'o' },
  { path: '/', label: message('Alarms'), letter: 'a', isOnPhones: true },
  // For translators: freezers, incubators, everything that is watched
  { path: '/services', label: message('Equipment'), letter: 'e', isOnPhones: true },
  { path: '/history', label: message('History'), letter: 'h' },
  { path: '/on-call', label: message('On call'), letter: 'c' },
  { path: '/downtimes', label: message('Downtimes'), letter: 'd' },
];

const ADMINISTRATORS_LINKS: readonly NavigationLink[] = [
  { path: '/audit', label: message('Audit') },
  { path: '/settings', label: message('Settings') },
];
const KEEPERS_LINKS: readonly NavigationLink[] = [{ path: '/settings/delivery', label: message('Delivery') }];
const OWN_LINKS: readonly NavigationLink[] = [{ path: '/profile', label: message('Your profile') }];

export const SEARCH = '/search';
export const KEYS = '/keys';

/** Under the name of whoever is signed in. */
export const listOwnLinks = (who: { isAdministrator: boolean; isKeeper: boolean }): NavigationLink[] => [
  ...(who.isAdministrator ? ADMINISTRATORS_LINKS : []),
  ...(who.isKeeper ? KEEPERS_LINKS : []),
  ...OWN_LINKS,
];
