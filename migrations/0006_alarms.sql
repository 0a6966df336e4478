-- The alarm state of each service, what happened to it, and what people did about it.

-- One row per service, made with the service. Whoever changes a service's alarm state locks this row first. What is known
-- of its channels is in the same row, so that a reading locks, checks and writes one row; whoever remembers a row knows by
-- its xmin whether anybody has written it since. Each reading writes it anew: with room on its page for several versions
-- that leaves the indexes alone.
create table alarm_state (
  service_id integer primary key references service,
  organization_id integer not null references organization,
  severity text not null default 'normal' check (severity in ('normal', 'warning', 'critical')),
  severity_since timestamptz,
  channel text,
  band text check (band in ('CRITICAL_HIGH', 'CRITICAL_LOW', 'WARNING_HIGH', 'WARNING_LOW')),
  value double precision,
  limit_value double precision,
  message text,
  episode_id bigint,
  stale_since timestamptz,
  -- When time alone may change something: never later than that, sometimes earlier, so that a reading need not move it.
  -- A new service is due at once.
  next_due_at timestamptz default '-infinity',
  -- Raised with every change to limits, settings, channels or device, so that programs know what they remember is old.
  config_version integer not null default 1,
  channel_ids integer[] not null default '{}',
  -- Of each channel, in the order of channel_ids: its newest judged reading. Epoch milliseconds.
  channel_at_ms bigint[] not null default '{}',
  channel_values double precision[] not null default '{}',
  -- By channel id, of those that are not simply normal: the breaches that run, the severity, its beginning and its band.
  channel_alarms jsonb check (jsonb_typeof(channel_alarms) = 'object'),
  check ((severity = 'normal') = (severity_since is null)),
  check (severity = 'normal' or (channel is not null and message is not null and episode_id is not null)),
  check (cardinality(channel_at_ms) = cardinality(channel_ids)),
  check (cardinality(channel_values) = cardinality(channel_ids))
) with (fillfactor = 50);
create index alarm_state_due on alarm_state (next_due_at) where next_due_at is not null;
-- The alarms list costs by what it shows.
create index alarm_state_active on alarm_state (organization_id)
  where severity <> 'normal' or stale_since is not null;

-- An alarm from raised to recovered, or a drill.
create sequence episode_id as bigint;

create table alarm_event (
  service_id integer not null,
  id bigint generated always as identity,
  episode_id bigint,
  kind text not null check (kind in ('raised', 'changed', 'recovered', 'went_stale', 'came_back')),
  from_severity text not null check (from_severity in ('normal', 'warning', 'critical')),
  to_severity text not null check (to_severity in ('normal', 'warning', 'critical')),
  channel text,
  band text check (band in ('CRITICAL_HIGH', 'CRITICAL_LOW', 'WARNING_HIGH', 'WARNING_LOW')),
  value double precision,
  limit_value double precision,
  limits_version_id integer,
  message text,
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (service_id, id)
);
-- The alarms of a span of time.
create index alarm_event_by_time on alarm_event (service_id, happened_at);
-- The stale period a service is in.
create index alarm_event_went_stale on alarm_event (service_id, id desc) where kind = 'went_stale';

create table acknowledgement (
  id integer generated always as identity primary key,
  service_id integer not null references service,
  episode_id bigint not null,
  severity text not null check (severity in ('CRITICAL', 'WARNING')),
  comment text check (btrim(comment) <> ''),
  account_id integer not null,
  account_name text not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('removed', 'recovered', 'limits_changed', 'archived')),
  check ((ended_at is null) = (end_reason is null))
);
-- Simultaneous callers: the database lets one acknowledgement of a severity stand.
create unique index acknowledgement_active on acknowledgement (service_id, severity) where ended_at is null;
create index acknowledgement_by_service on acknowledgement (service_id, created_at desc);

create table mute (
  id integer generated always as identity primary key,
  service_id integer not null references service,
  reason text,
  account_id integer not null,
  account_name text not null,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index mute_active on mute (service_id) where ended_at is null;
create index mute_by_service on mute (service_id, id desc);

create table downtime (
  id integer generated always as identity primary key,
  service_id integer not null references service,
  start_at timestamptz not null,
  end_at timestamptz not null check (end_at > start_at),
  reason text not null check (btrim(reason) <> ''),
  created_by_id integer not null,
  created_by_name text not null,
  created_at timestamptz not null
);
create index downtime_by_service on downtime (service_id, end_at);
create index downtime_by_end on downtime (end_at);
