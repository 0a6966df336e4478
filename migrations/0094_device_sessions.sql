-- A browser that begins sessions by itself, because somebody chose to stay signed in on it.
create table device_session (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  -- Of the tokens that were good when it began: a later one has ended it.
  generation integer not null,
  -- Of what its cookie holds.
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  began_at timestamptz not null,
  last_used_at timestamptz not null check (last_used_at >= began_at),
  -- Where it was last used from.
  address text not null,
  -- What the browser calls itself, cut short.
  user_agent text
);
create index device_session_by_account on device_session (account_id);
create index device_session_by_use on device_session (last_used_at);

-- Sessions of such a browser end with it, and have to prove anew who they are before what is dangerous.
alter table session
  add column device_id integer references device_session on delete cascade,
  add column proved_at timestamptz;
create index session_by_device on session (device_id) where device_id is not null;

-- For how long, in days, at most; 0: never.
alter table organization add column device_days smallint not null default 90 check (device_days between 0 and 90);
