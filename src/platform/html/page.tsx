// A page for people: the frame with the links that the visitor may follow, and a way out.
import type { ComponentChildren } from 'preact';
import { canAdminister, type Role } from '../../domain/role.ts';
import { Layout } from './layout.tsx';

export interface Visitor {
  name: string;
  memberships: { role: Role }[];
}

interface PageProps {
  title: string;
  /** null: nobody is signed in. */
  visitor: Visitor | null;
  /** The address in the navigation that this page belongs to. */
  current?: string;
  /** The browser asks again after so many seconds. */
  refreshSeconds?: number | undefined;
  /** Files of the assets that this page needs beside those of all pages. */
  scripts?: readonly string[];
  styles?: readonly string[];
  children: ComponentChildren;
}

const SCRIPTS = ['htmx.js', 'app.js'];

export const Page = ({
  title,
  visitor,
  current,
  refreshSeconds,
  scripts = [],
  styles,
  children,
}: PageProps) => (
  <Layout
    title={title}
    refreshSeconds={refreshSeconds}
    scripts={visitor ? [...SCRIPTS, ...scripts] : []}
    {...(styles && { styles })}
    navigation={visitor && <Links visitor={visitor} current={current} />}
    session={visitor && <Session name={visitor.name} />}
  >
    {children}
  </Layout>
);

const EVERYBODYS_LINKS: [path: string, label: string][] = [
  ['/', 'Alarms'],
  ['/services', 'Services'],
  ['/downtimes', 'Downtimes'],
];
const ADMINISTRATORS_LINKS: [path: string, label: string][] = [
  ['/audit', 'Audit'],
  ['/settings', 'Settings'],
];

/** The pages under the settings belong to them. */
const isWithin = (path: string, current: string | undefined): boolean =>
  current === path || (path === '/settings' && current?.startsWith('/settings/') === true);

const Links = ({ visitor, current }: { visitor: Visitor; current: string | undefined }) => {
  const isAdministrator = visitor.memberships.some(({ role }) => canAdminister(role));
  const links = isAdministrator ? [...EVERYBODYS_LINKS, ...ADMINISTRATORS_LINKS] : EVERYBODYS_LINKS;
  return (
    <>
      {links.map(([path, label]) => (
        <a key={path} href={path} aria-current={isWithin(path, current) ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </>
  );
};

/** Signing out revokes the token on all devices, so it is a form: no link checker follows it. */
const Session = ({ name }: { name: string }) => (
  <form class="session" method="post" action="/api/v1/auth/logout">
    <a href="/profile">{name}</a>
    <button type="submit">Sign out</button>
  </form>
);

export const ErrorPage = ({
  title,
  text,
  visitor,
}: {
  title: string;
  text: string;
  visitor: Visitor | null;
}) => (
  <Page title={title} visitor={visitor}>
    <h1>{title}</h1>
    <p>{text}</p>
    <p>
      <a class="button" href="/">
        To the start
      </a>
    </p>
  </Page>
);
