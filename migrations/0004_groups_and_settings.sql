-- Who is told, and how each service wants to be told about.

create table notification_group (
  id integer generated always as identity primary key,
  organization_id integer not null references organization,
  name text not null check (btrim(name) <> ''),
  -- While messages pour in, the group gets one digest at these times. null: all is calm.
  next_digest_at timestamptz,
  created_at timestamptz not null,
  unique (organization_id, name),
  unique (id, organization_id)
);
create index notification_group_in_storm on notification_group (next_digest_at) where next_digest_at is not null;

create table notification_group_account (
  group_id integer not null references notification_group on delete cascade,
  account_id integer not null references account on delete cascade,
  primary key (group_id, account_id)
);
create index notification_group_account_by_account on notification_group_account (account_id);

create table notification_group_email (
  group_id integer not null references notification_group on delete cascade,
  email text not null check (email = lower(btrim(email)) and email <> ''),
  -- Somebody has shown to read it, or the operator vouches for it by the lab file.
  is_proved boolean not null default false,
  primary key (group_id, email)
);
-- Whether a recipient hears from several organizations is asked for every message.
create index notification_group_email_by_email on notification_group_email (email);

create table notification_group_webhook (
  id integer generated always as identity primary key,
  group_id integer not null references notification_group on delete cascade,
  -- Which there are, the program knows.
  kind text not null,
  url text not null check (url ~ '^https?://'),
  secret text,
  disabled_at timestamptz,
  -- null while it is on, or when its receiver said that it is gone.
  disabled_reason text check (disabled_reason <> ''),
  unique (group_id, kind, url)
);
-- An address may be longer than an ordinary index takes.
create index notification_group_webhook_by_url on notification_group_webhook using hash (url);

-- Mails to addresses that nobody has shown to read, that people asked for in the last hour, invitations too.
create table unproved_mail (
  organization_id integer not null references organization on delete cascade,
  email text not null,
  asked_at timestamptz not null
);
create index unproved_mail_by_organization on unproved_mail (organization_id, asked_at);
create index unproved_mail_by_age on unproved_mail (asked_at);

create table service_settings (
  service_id integer primary key,
  organization_id integer not null,
  -- The channel last chosen in the edit form; null means service-wide limits.
  metric_channel text check (metric_channel <> ''),
  stale_after_minutes integer not null default 15 check (stale_after_minutes >= 0),
  notification_group_id integer,
  send_critical boolean not null default false,
  send_warning boolean not null default false,
  send_acknowledgements boolean not null default false,
  send_recoveries boolean not null default false,
  repeat_interval_minutes integer not null default 60 check (repeat_interval_minutes >= 0),
  enable_system_notifications boolean not null default false,
  system_notification_delay_minutes integer not null default 5 check (system_notification_delay_minutes >= 0),
  foreign key (service_id, organization_id) references service (id, organization_id),
  foreign key (notification_group_id, organization_id) references notification_group (id, organization_id)
    on delete set null (notification_group_id)
);
create index service_settings_by_group on service_settings (notification_group_id);
