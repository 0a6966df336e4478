-- How a person is told: beside or instead of the mail of the account, each way proved by a code that was sent to it.

create table contact_method (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  kind text not null check (kind in ('email', 'sms', 'voice', 'push', 'pushover', 'telegram', 'ntfy', 'gotify', 'signal')),
  -- A number, an address, a key: what the kind calls it.
  address text not null check (address <> ''),
  -- What its receiver asks for beside the address; never shown again.
  secret text,
  -- Until then it gets nothing but its code.
  verified_at timestamptz,
  -- From the moment on at which the person is due.
  after_minutes integer not null default 0 check (after_minutes between 0 and 1440),
  only_critical boolean not null default false,
  during text not null default 'always' check (during in ('always', 'lab_hours', 'off_hours')),
  disabled_at timestamptz,
  disabled_reason text,
  code_hash bytea,
  code_expires_at timestamptz,
  code_failures smallint not null default 0,
  -- Answers with a code that was not sent to it, since the last right one: after a few it is not asked any more.
  reply_failures smallint not null default 0,
  created_at timestamptz not null,
  unique (account_id, kind, address)
);
create index contact_method_by_address on contact_method (address) where verified_at is not null;

-- How often codes were sent for an account: each may cost money.
create table contact_code (
  account_id integer not null references account on delete cascade,
  sent_at timestamptz not null
);
create index contact_code_by_account on contact_code (account_id, sent_at);
create index contact_code_by_age on contact_code (sent_at);

-- `method`: the recipient is the id of a contact method. Rows there are may stay unread.
alter table letter drop constraint letter_transport_check;
alter table letter add constraint letter_transport_check check (transport in ('email', 'webhook', 'method')) not valid;
alter table delivery drop constraint delivery_transport_check;
alter table delivery add constraint delivery_transport_check check (transport in ('email', 'webhook', 'method')) not valid;

-- What is known of a message after it was sent: that it arrived at the device, that somebody confirmed it, and how.
alter table delivery
  add column via text,
  add column provider_id text,
  add column received_at timestamptz,
  add column confirmed_at timestamptz,
  add column confirmed_how text;
create index delivery_by_provider on delivery (provider_id) where provider_id is not null;

alter table account_mail drop constraint account_mail_kind_check;
alter table account_mail add constraint account_mail_kind_check
  check (kind in ('activation', 'password_reset', 'password_changed', 'invitation', 'passkey_added', 'contact_off'));
