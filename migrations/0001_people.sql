-- Who may do what: organizations, accounts, the roles they hold, and who is invited.

create table instance_secret (
  name text primary key check (name in ('token_signing')),
  value bytea not null check (octet_length(value) >= 32),
  created_at timestamptz not null
);

-- Of a first run, valid while there is no account. Each program that starts before that adds its own.
create table setup_code (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  created_at timestamptz not null
);

create table organization (
  id integer generated always as identity primary key,
  name text not null unique check (btrim(name) <> ''),
  created_at timestamptz not null
);

-- The email is stored normalised, as domain/accounts/email.ts does it, so that equality is the whole comparison.
create table account (
  id integer generated always as identity primary key,
  email text not null unique check (email = lower(btrim(email)) and email <> ''),
  name text not null check (btrim(name) <> ''),
  timezone text not null default 'UTC' check (timezone <> ''),
  -- null until the account is activated: no password, no token.
  password_hash text check (password_hash like '$argon2id$%'),
  -- It was chosen by a link in kept mail, which an administrator may have read.
  password_may_be_known boolean not null default false,
  is_active boolean not null default true,
  -- Deactivated by the operator: no administrator activates it.
  is_barred boolean not null default false,
  -- Carried in every token; raising it revokes all tokens issued before.
  token_generation integer not null default 1 check (token_generation > 0),
  created_at timestamptz not null
);

create table membership (
  account_id integer not null references account on delete cascade,
  organization_id integer not null references organization,
  role text not null check (role in ('viewer', 'operator', 'administrator')),
  created_at timestamptz not null,
  primary key (account_id, organization_id)
);
create index membership_by_organization on membership (organization_id);

-- Memberships that ended. No references, as in the audit log, which is read by them.
create table past_membership (
  account_id integer not null,
  organization_id integer not null,
  joined_at timestamptz not null,
  left_at timestamptz not null
);
create index past_membership_by_organization on past_membership (organization_id);
create index past_membership_by_account on past_membership (account_id);

-- Gives nothing until it is accepted. An answered one is gone; the audit log tells of it.
create table invitation (
  id integer generated always as identity primary key,
  organization_id integer not null references organization,
  account_id integer not null references account on delete cascade,
  role text not null check (role in ('viewer', 'operator', 'administrator')),
  -- As the inviter wrote it: of an account that was there before nothing is shown until it is accepted.
  name text not null check (btrim(name) <> ''),
  invited_by_name text not null,
  created_at timestamptz not null,
  unique (organization_id, account_id)
);
create index invitation_by_account on invitation (account_id);
