-- Passkeys: a key pair for each device of a person, of which only the public half is here.

create table passkey (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  -- By which the device names it, in base64url.
  credential_id text not null unique check (length(credential_id) between 1 and 2048),
  public_key bytea not null,
  -- How often the device says it has signed; 0 for ever where it does not count.
  signatures bigint not null check (signatures >= 0),
  transports text[] not null default '{}',
  -- The host it was made for: it works at no other.
  host text not null check (host <> ''),
  name text not null check (btrim(name) <> ''),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_by_account on passkey (account_id);

-- Challenges that were answered, until they end by themselves: each is answered once.
create table answered_challenge (
  challenge text primary key,
  expires_at timestamptz not null
);
create index answered_challenge_by_age on answered_challenge (expires_at);

alter table account_mail drop constraint account_mail_kind_check;
alter table account_mail add constraint account_mail_kind_check
  check (kind in ('activation', 'password_reset', 'password_changed', 'invitation', 'passkey_added'));
