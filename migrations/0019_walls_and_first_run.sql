-- Links to the wall of an organization, the codes of a first run, and whether this database is a demonstration.

create table wall_link (
  id integer generated always as identity primary key,
  organization_id integer not null references organization,
  name text not null check (btrim(name) <> ''),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  -- A screen has no person whose zone would count: it is that of whoever made the link.
  timezone text not null check (timezone <> ''),
  created_at timestamptz not null,
  unique (organization_id, name)
);

-- Valid while there is no account. Each program that starts before that adds its own.
create table setup_code (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  created_at timestamptz not null
);

-- One row at most; filled_at is null while the demonstration is being filled in.
create table demonstration (
  only_row boolean primary key default true check (only_row),
  seed integer not null,
  began_at timestamptz not null,
  until_at timestamptz not null check (until_at > began_at),
  filled_at timestamptz
);
