-- Who may do what: organizations, accounts, the roles they hold, and how they sign in.

create table instance_secret (
  name text primary key check (name in ('token_signing')),
  value bytea not null check (octet_length(value) >= 32),
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
  is_active boolean not null default true,
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
