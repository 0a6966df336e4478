-- The outbox: what is to be told, written in the transaction of the state change, and each recipient's delivery.

create table notification (
  id bigint generated always as identity primary key,
  service_id integer not null,
  organization_id integer not null,
  group_id integer,
  episode_id bigint,
  kind text not null check (kind in ('critical', 'warning', 'acknowledgement', 'recovery', 'system')),
  -- Why it was sent, or why not: the policy's own words.
  reason text not null check (reason <> ''),
  message text not null,
  state text not null check (state in ('waiting', 'released', 'held', 'dropped')),
  due_at timestamptz not null,
  decided_at timestamptz,
  created_at timestamptz not null,
  check ((state = 'waiting') = (decided_at is null))
);
create index notification_waiting on notification (due_at) where state = 'waiting';
create index notification_by_service on notification (service_id, id desc);

create table delivery (
  id bigint generated always as identity primary key,
  notification_id bigint not null references notification on delete cascade,
  service_id integer not null,
  transport text not null check (transport in ('email', 'webhook')),
  recipient text not null check (recipient <> ''),
  state text not null check (state in ('queued', 'sent', 'failed', 'dropped')),
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz not null,
  -- A claim that its holder did not finish by then is free again.
  leased_until timestamptz,
  last_error text,
  sent_at timestamptz,
  created_at timestamptz not null,
  unique (notification_id, transport, recipient),
  check ((state = 'sent') = (sent_at is not null))
);
create index delivery_queued on delivery (next_attempt_at) where state = 'queued';
create index delivery_failed on delivery (created_at) where state = 'failed';
create index delivery_by_service on delivery (service_id, id desc);
