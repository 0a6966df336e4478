-- How messages leave, as a keeper set it on pages. Sealed with a key that is not in the database.
create table delivery_setting (
  name text primary key
    check (name in ('public_url', 'mail_server', 'mail_from', 'sms', 'pushover', 'telegram', 'signal')),
  -- Which key it takes, not the key.
  key_id text not null check (key_id <> ''),
  sealed bytea not null check (octet_length(sealed) between 29 and 65536),
  changed_at timestamptz not null,
  changed_by_name text not null
);

-- What of it a program cannot read, for want of the key.
alter table program add column unread_settings text[] not null default '{}';
