// A page for people: the frame with the links that the visitor may follow, and a way out.
import type { ComponentChildren } from 'preact';
import { canAdminister } from '../../domain/accounts/role.ts';
import { Layout } from '../../platform/html/layout.tsx';
import type { Reader } from '../../platform/html/time.tsx';
import { Banner } from './banner.tsx';
import type { Visitor } from './visitor.ts';

interface PageProps {
  title: string;
  /** null: nobody is signed in. */
  visitor: Visitor | null;
  /** The address in the navigation that this page belongs to. */
  current?: string;
  /** The browser asks again after so many seconds. */
  refreshSeconds?: number | undefined;
  /** A script keeps it true: the browser asks again only without scripts. */
  isLive?: boolean;
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
  isLive = false,
  scripts = [],
  styles,
  children,
}: PageProps) => (
  <Layout
    title={title}
    refreshSeconds={refreshSeconds}
    isLive={isLive}
    scripts={visitor ? [...SCRIPTS, ...scripts] : scripts}
    {...(styles && { styles })}
    navigation={visitor && <Links visitor={visitor} current={current} />}
    menu={visitor && <Menu visitor={visitor} current={current} />}
    note={visitor && <Zone {...visitor} />}
    banner={
      <>
        <Banner />
        {visitor && current !== INVITATIONS && <Invited {...visitor} />}
      </>
    }
  >
    {children}
  </Layout>
);

const INVITATIONS = '/invitations';

/** On every page until it is answered. */
const Invited = ({ invitations: [first, ...others] }: Pick<Visitor, 'invitations'>) =>
  first ? (
    <section class="invited" aria-label="Invitation">
      <p>
        <strong>{first.invitedBy}</strong> invites you to <strong>{first.organizationName}</strong> as{' '}
        {first.role}
        {others.length > 0 && `, and ${others.length} more ${others.length === 1 ? 'invites' : 'invite'} you`}
        .
      </p>
      <a class="button button-primary" href={INVITATIONS}>
        Accept or decline
      </a>
    </section>
  ) : null;

/** Once on every page, so that no time has to say it. */
const Zone = ({ timezone, now }: Reader) => (
  <a href="/profile" data-zone={timezone} data-now={now.getTime()}>
    Times are in {timezone}
  </a>
);

const EVERYBODYS_LINKS: [path: string, label: string][] = [
  ['/', 'Alarms'],
  ['/services', 'Services'],
  ['/downtimes', 'Downtimes'],
];
/** On a phone there is no room for it beside the others. */
const ROTA_LINKS: [path: string, label: string][] = [['/on-call', 'On call']];
const ADMINISTRATORS_LINKS: [path: string, label: string][] = [
  ['/audit', 'Audit'],
  ['/settings', 'Settings'],
];

/** The pages under the settings belong to them. */
const isWithin = (path: string, current: string | undefined): boolean =>
  current === path || (path === '/settings' && current?.startsWith('/settings/') === true);

export const isAdministrator = ({ memberships }: Pick<Visitor, 'memberships'>): boolean =>
  memberships.some(({ role }) => canAdminister(role));

interface WhereProps {
  visitor: Visitor;
  current: string | undefined;
}

const Links = ({ visitor, current }: WhereProps) => (
  <>
    <LinkList links={EVERYBODYS_LINKS} current={current} />
    <LinkList links={ROTA_LINKS} current={current} class="only-wide" />
    {isAdministrator(visitor) && (
      <LinkList links={ADMINISTRATORS_LINKS} current={current} class="only-wide" />
    )}
  </>
);

const LinkList = ({
  links,
  current,
  ...rest
}: {
  links: typeof EVERYBODYS_LINKS;
  current: string | undefined;
  class?: string;
}) => (
  <>
    {links.map(([path, label]) => (
      <a key={path} href={path} {...rest} aria-current={isWithin(path, current) ? 'page' : undefined}>
        {label}
      </a>
    ))}
  </>
);

/**
 * What is rarely needed; on a phone also what has no room beside the alarms. Opens without scripts.
 * Signing out revokes the token on all devices, so it is a form: no link checker follows it.
 */
const Menu = ({ visitor, current }: WhereProps) => (
  <details class="menu">
    <summary>
      <span class="only-wide">{visitor.name}</span>
      <span class="only-narrow">Menu</span>
    </summary>
    <div class="menu-content">
      <p class="only-narrow">{visitor.name}</p>
      <nav aria-label="Account">
        <LinkList links={ROTA_LINKS} current={current} class="only-narrow" />
        {isAdministrator(visitor) && (
          <LinkList links={ADMINISTRATORS_LINKS} current={current} class="only-narrow" />
        )}
        {visitor.isKeeper && <LinkList links={[['/settings/delivery', 'Delivery']]} current={current} />}
        <LinkList links={[['/profile', 'Your profile']]} current={current} />
      </nav>
      <form class="session" method="post" action="/api/v1/auth/logout">
        <button type="submit">Sign out</button>
      </form>
    </div>
  </details>
);

export const ErrorPage = ({
  title,
  text,
  visitor,
  refreshSeconds,
}: {
  title: string;
  text: string;
  visitor: Visitor | null;
  refreshSeconds?: number | undefined;
}) => (
  <Page title={title} visitor={visitor} refreshSeconds={refreshSeconds}>
    <h1>{title}</h1>
    <p>{text}</p>
    <p>
      <a class="button" href="/">
        To the start
      </a>
    </p>
  </Page>
);
