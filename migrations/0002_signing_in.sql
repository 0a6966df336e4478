-- How accounts sign in: sessions, what guards passwords, and mail about accounts with the links in it.

-- Where an account is signed in. A token names its session; one whose session is gone is refused.
create table session (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  -- Of the tokens that were good when it began: a later one has ended it.
  generation integer not null,
  began_at timestamptz not null,
  last_seen_at timestamptz not null check (last_seen_at >= began_at),
  -- Where it was last used from.
  address text not null,
  -- What the browser or program calls itself, cut short.
  user_agent text
);
create index session_by_account on session (account_id);
create index session_by_age on session (began_at);

-- Unknown emails are counted like known ones, so there is no reference to account.
create table sign_in_throttle (
  email text not null,
  address text not null,
  failures integer not null check (failures > 0),
  last_failed_at timestamptz not null,
  blocked_until timestamptz check (blocked_until > last_failed_at),
  primary key (email, address)
);
create index sign_in_throttle_by_age on sign_in_throttle (last_failed_at);

-- How many sign-ins failed from one address, whatever email they were for, since a window began.
create table sign_in_budget (
  address text primary key,
  window_began_at timestamptz not null,
  failures integer not null check (failures > 0)
);
create index sign_in_budget_by_age on sign_in_budget (window_began_at);

-- How often an address asked for new passwords, for known and unknown emails alike.
create table password_reset_request (
  address text not null,
  requested_at timestamptz not null
);
create index password_reset_request_by_address on password_reset_request (address, requested_at);
create index password_reset_request_by_age on password_reset_request (requested_at);

-- A mail that is to be written. It holds no link: that is made for each attempt, so that none lies here to be read.
create table account_mail (
  id bigint generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  invitation_id integer references invitation on delete set null,
  kind text not null check (kind in ('activation', 'password_reset', 'password_changed', 'invitation')),
  -- Who invited, or changed the password; and into which organization.
  author_name text,
  organization_name text,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'dropped')),
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz not null,
  -- A claim that its holder did not finish by then is free again.
  leased_until timestamptz,
  last_error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((state = 'queued') = (finished_at is null))
);
create index account_mail_queued on account_mail (next_attempt_at) where state = 'queued';
-- Those that were given up, for the health report.
create index account_mail_failed on account_mail (finished_at) where state = 'failed';
create index account_mail_by_account on account_mail (account_id, created_at);
create index account_mail_by_invitation on account_mail (invitation_id) where invitation_id is not null;

-- What the link in such a mail leads to. Only the hash of its secret is here; a link that was used is gone.
create table account_link (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  account_id integer not null references account on delete cascade,
  invitation_id integer references invitation on delete cascade,
  purpose text not null check (purpose in ('activation', 'password_reset', 'invitation')),
  -- It left by a mail server, so that only its owner read it.
  is_private boolean not null default false,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at)
);
create index account_link_by_account on account_link (account_id);
create index account_link_by_expiry on account_link (expires_at);
create index account_link_by_invitation on account_link (invitation_id) where invitation_id is not null;
