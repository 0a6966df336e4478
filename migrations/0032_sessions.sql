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
