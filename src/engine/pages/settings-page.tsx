// The frame of the pages on which administrators change their organization.

import { type ComponentChildren, Fragment } from 'preact';
import { sayOne } from '../../domain/language/sayable.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { UpLink } from '../../platform/html/up-link.tsx';
import { Page } from './page.tsx';
import { listSettings } from './settings-list.ts';
import { settingsPath } from './settings-path.ts';
import type { Visitor } from './visitor.ts';

export interface SettingsFrame {
  visitor: Visitor;
  organization: { id: number; name: string };
  organizations: { id: number; name: string }[];
  done: string | null;
  fault: { text: string } | null;
}

interface SettingsPageProps {
  title: string;
  frame: SettingsFrame;
  /** The address among the links that this page belongs to. */
  current: string;
  /** Where this page is one of many, the way back to them. */
  up?: { path: string; label: string };
  /** What it shows is of all organizations of the visitor. */
  isOfAll?: boolean;
  /** Of a page with live parts: without scripts the browser asks again after so many seconds. */
  refreshSeconds?: number | undefined;
  children: ComponentChildren;
}

export const SettingsPage = ({
  title,
  frame,
  current,
  up,
  isOfAll = false,
  refreshSeconds,
  children,
}: SettingsPageProps) => {
  const language = useLanguage();
  const { say } = language;
  const { visitor, organization, done, fault } = frame;
  return (
    <Page title={title} visitor={visitor} current="/settings" refreshSeconds={refreshSeconds} isLive>
      <div class="settings">
        <nav class="settings-links" aria-label={say('Settings')}>
          <Link path="/settings" label={say('All settings')} {...{ organization, current }} />
          {listSettings(visitor).map((group) => (
            <Fragment key={group.label}>
              <p class="settings-group">{sayOne(group.label, language)}</p>
              {group.pages
                .filter(({ path }) => path.startsWith('/settings/'))
                .map(({ path, label }) => (
                  <Link
                    key={path}
                    path={path}
                    label={sayOne(label, language)}
                    {...{ organization, current }}
                  />
                ))}
            </Fragment>
          ))}
        </nav>
        <div class="settings-content">
          {!isOfAll && <OrganizationChoice frame={frame} path={current} />}
          {up && <UpLink path={settingsPath(up.path, organization)} label={up.label} />}
          <h1>{title}</h1>
          {done !== null && <Notice kind="done">{done}</Notice>}
          {fault && <Notice kind="error">{fault.text}</Notice>}
          {children}
        </div>
      </div>
    </Page>
  );
};

interface LinkProps {
  path: string;
  label: string;
  organization: { id: number };
  current: string;
}

const Link = ({ path, label, organization, current }: LinkProps) => (
  <a href={settingsPath(path, organization)} aria-current={path === current ? 'page' : undefined}>
    {label}
  </a>
);

/** With one organization there is nothing to choose. */
export const OrganizationChoice = ({
  frame: { organization, organizations },
  path,
}: {
  frame: Pick<SettingsFrame, 'organization' | 'organizations'>;
  path: string;
}) => {
  const { say } = useLanguage();
  return organizations.length < 2 ? (
    <p class="muted">{organization.name}</p>
  ) : (
    <form class="choice" method="get" action={path}>
      <label for="organization">{say('Organization')}</label>
      <select id="organization" name="organization">
        {organizations.map(({ id, name }) => (
          <option key={id} value={id} selected={id === organization.id}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit">{say('Show')}</button>
    </form>
  );
};
