-- Links to the wall of an organization, for a screen in the lab.

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
