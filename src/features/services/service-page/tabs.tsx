// The page of a unit in tabs. Each has an address, and all that the page has stands in it, shown or not: what leads to a part of
// it, or is sent from one, finds it there.
import type { ComponentChildren } from 'preact';
import type { ServiceId } from '../../../domain/ids.ts';
import { message } from '../../../domain/language/message.ts';
import { useLanguage } from '../../../platform/html/language.tsx';

const TABS = {
  // For translators: the parts of the page of one unit
  now: message('Now'),
  history: message('History'),
  limits: message('Limits'),
  notifications: message('Notifications'),
  settings: message('Settings'),
} as const;

export type Tab = keyof typeof TABS;

/** What was done there, by the word in the address. */
const DONE_IN: Record<string, Tab> = {
  edit: 'limits',
  'edit-partly': 'limits',
  recommend: 'limits',
  'apply-recommendation': 'limits',
  'delete-band': 'limits',
  clearing: 'limits',
  rename: 'settings',
};

/** Only the form of limits asks for these. */
const OF_LIMITS = ['limits', 'limits_before', 'edit', 'edit_error'];

export function tabOf(query: Record<string, string | undefined>): Tab {
  const { tab, done, refused } = query;
  if (tab !== undefined && Object.hasOwn(TABS, tab)) return tab as Tab;
  if (OF_LIMITS.some((name) => query[name] !== undefined)) return 'limits';
  if (refused === 'no_name' || refused === 'name_too_long') return 'settings';
  return (done !== undefined && Object.hasOwn(DONE_IN, done) && DONE_IN[done]) || 'now';
}

const tabPath = (id: ServiceId, tab: Tab): string =>
  tab === 'now' ? `/services/${id}` : `/services/${id}?tab=${tab}`;

export const TabRow = ({ id, current }: { id: ServiceId; current: Tab }) => {
  const { say } = useLanguage();
  return (
    <nav class="tabs" aria-label={say('Parts of this page')}>
      {(Object.keys(TABS) as Tab[]).map((tab) => (
        <a key={tab} href={tabPath(id, tab)} aria-current={tab === current ? 'page' : undefined}>
          {say(TABS[tab])}
        </a>
      ))}
    </nav>
  );
};

export const Panel = ({
  tab,
  part,
  current,
  children,
}: {
  tab: Tab;
  /** Where it is not the whole. */
  part?: string;
  current: Tab;
  children: ComponentChildren;
}) => (
  <div id={`tab-${part ?? tab}`} class="tab-panel" hidden={tab !== current}>
    {children}
  </div>
);
