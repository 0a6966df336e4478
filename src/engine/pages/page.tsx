// A page for people: the frame with the links that the visitor may follow, and a way out.

import type { ComponentChildren } from 'preact';
import { canAdminister } from '../../domain/accounts/role.ts';
import { sayOne } from '../../domain/language/sayable.ts';
import type { Language } from '../../domain/language/speak.ts';
import { sayRole } from '../../domain/words/say-role.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Layout } from '../../platform/html/layout.tsx';
import type { Reader } from '../../platform/html/time.tsx';
import { Banner } from './banner.tsx';
import { KEYS, listOwnLinks, MAIN_LINKS, type NavigationLink, SEARCH } from './navigation.ts';
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
    navigation={visitor && <Links current={current} />}
    menu={visitor && <Menu visitor={visitor} current={current} />}
    search={visitor && <SearchLink current={current} />}
    note={
      visitor && (
        <>
          <Zone {...visitor} />
          <KeysLink />
        </>
      )
    }
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
const Invited = ({ invitations: [first, ...others] }: Pick<Visitor, 'invitations'>) => {
  const language = useLanguage();
  const { say } = language;
  return first ? (
    <section class="invited" aria-label={say('Invitation')}>
      <p>{sayInvited(language, first, others.length)}</p>
      <a class="button button-primary" href={INVITATIONS}>
        {say('Accept or decline')}
      </a>
    </section>
  ) : null;
};

function sayInvited(language: Language, first: Visitor['invitations'][number], others: number) {
  const { invitedBy: name, organizationName: organization, role } = first;
  const facts = {
    name,
    organization,
    role: sayRole(role, language),
    strong: (inside: ComponentChildren) => <strong>{inside}</strong>,
  };
  return others === 0
    ? sayWith(
        language,
        '<strong>{name}</strong> invites you to <strong>{organization}</strong> as {role}.',
        facts,
      )
    : sayWith(
        language,
        '<strong>{name}</strong> invites you to <strong>{organization}</strong> as {role}, and {others, plural, one {# more invites} other {# more invite}} you.',
        { ...facts, others },
      );
}

/** Once on every page, so that no time has to say it. */
const Zone = ({ timezone, now }: Reader) => {
  const { say } = useLanguage();
  return (
    <a href="/profile" data-zone={timezone} data-now={now.getTime()}>
      {say('Times are in {timezone}', { timezone })}
    </a>
  );
};

/** The pages under the settings belong to them, unless they have a link of their own. */
const isWithin = (path: string, current: string | undefined): boolean =>
  current === path || (path === '/settings' && current?.startsWith('/settings/') === true);

export const isAdministrator = ({ memberships }: Pick<Visitor, 'memberships'>): boolean =>
  memberships.some(({ role }) => canAdminister(role));

interface WhereProps {
  visitor: Visitor;
  current: string | undefined;
}

/** A script opens it over the page. */
const SearchLink = ({ current }: Pick<WhereProps, 'current'>) => {
  const { say } = useLanguage();
  return (
    <a
      class="search-link"
      href={SEARCH}
      data-search=""
      aria-current={current === SEARCH ? 'page' : undefined}
    >
      <span>{say('Search')}</span>
    </a>
  );
};

const KeysLink = () => {
  const { say } = useLanguage();
  return (
    <a class="keys-link" href={KEYS} data-keys="">
      {say('Keyboard shortcuts')}
    </a>
  );
};

const Links = ({ current }: Pick<WhereProps, 'current'>) => (
  <>
    {MAIN_LINKS.map((link) => (
      <NavLink
        key={link.path}
        {...link}
        current={current}
        {...(!link.isOnPhones && { class: 'only-wide' })}
      />
    ))}
  </>
);

const NavLink = ({
  path,
  label,
  letter,
  current,
  ...rest
}: NavigationLink & { current: string | undefined; class?: string }) => {
  const language = useLanguage();
  return (
    <a
      href={path}
      class={rest.class}
      data-key={letter}
      aria-current={isWithin(path, current) ? 'page' : undefined}
    >
      {sayOne(label, language)}
    </a>
  );
};

/**
 * What is rarely needed; on a phone also what has no room beside the alarms. Opens without scripts.
 * Signing out revokes the token on all devices, so it is a form: no link checker follows it.
 */
const Menu = ({ visitor, current }: WhereProps) => {
  const { say } = useLanguage();
  return (
    <details class="menu">
      <summary>
        <span class="only-wide">{visitor.name}</span>
        <span class="only-narrow">{say('Menu')}</span>
      </summary>
      <div class="menu-content">
        <p class="only-narrow">{visitor.name}</p>
        <nav aria-label={say('Account')}>
          {MAIN_LINKS.filter(({ isOnPhones }) => !isOnPhones).map(({ path, label }) => (
            <NavLink key={path} path={path} label={label} current={current} class="only-narrow" />
          ))}
          {listOwnLinks({ ...visitor, isAdministrator: isAdministrator(visitor) }).map((link) => (
            <NavLink key={link.path} {...link} current={current} />
          ))}
        </nav>
        <form class="session" method="post" action="/api/v1/auth/logout">
          <button type="submit">{say('Sign out')}</button>
        </form>
      </div>
    </details>
  );
};

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
}) => {
  const { say } = useLanguage();
  return (
    <Page title={title} visitor={visitor} refreshSeconds={refreshSeconds}>
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <a class="button" href="/">
          {say('To the start')}
        </a>
      </p>
    </Page>
  );
};
