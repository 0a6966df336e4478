-- Mail that is kept where there is no mail server, and mail about accounts with the links in it.

create table kept_mail (
  id bigint generated always as identity primary key,
  -- Of the mail: the same one twice is kept once.
  mail_id text not null unique check (mail_id <> ''),
  -- Whose administrators may read it, or which account it is about.
  organization_id integer references organization on delete cascade,
  account_id integer references account on delete cascade,
  recipient text not null check (recipient <> ''),
  subject text not null,
  text_body text not null,
  html_body text not null,
  created_at timestamptz not null
);
create index kept_mail_by_age on kept_mail (created_at);
create index kept_mail_by_account on kept_mail (account_id) where account_id is not null;

-- A mail that is to be written. It holds no link: that is made for each attempt, so that none lies here to be read.
create table account_mail (
  id bigint generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  kind text not null check (kind in ('activation', 'password_reset', 'password_changed')),
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
create index account_mail_by_account on account_mail (account_id, created_at);

-- What the link in such a mail leads to. Only the hash of its secret is here; a link that was used is gone.
create table account_link (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  account_id integer not null references account on delete cascade,
  purpose text not null check (purpose in ('activation', 'password_reset')),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at)
);
create index account_link_by_account on account_link (account_id);
create index account_link_by_expiry on account_link (expires_at);

-- How often an address asked for new passwords, for known and unknown emails alike.
create table password_reset_request (
  address text not null,
  requested_at timestamptz not null
);
create index password_reset_request_by_address on password_reset_request (address, requested_at);
create index password_reset_request_by_age on password_reset_request (requested_at);
