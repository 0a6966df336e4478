-- Downtimes that come again: an ordinary downtime for each time within the next fourteen days.
create table downtime_series (
  id integer generated always as identity primary key,
  service_id integer not null references service,
  first_day date not null,
  -- On the wall clock of the zone; where it is skipped the later instant counts, where it comes twice the earlier one.
  local_start time not null,
  minutes integer not null check (minutes between 1 and 10080),
  timezone text not null check (timezone <> ''),
  -- FREQ=WEEKLY;INTERVAL=2;BYDAY=MO, by RFC 5545.
  rule text not null check (rule <> ''),
  until_day date not null check (until_day between first_day and first_day + 366),
  reason text not null check (btrim(reason) <> ''),
  -- Somebody cancelled the downtime of that day.
  skipped date[] not null default '{}',
  created_by_id integer not null,
  created_by_name text not null,
  created_at timestamptz not null,
  -- Somebody ended it before its time.
  ended_at timestamptz
);
create index downtime_series_by_service on downtime_series (service_id);
create index downtime_series_open on downtime_series (until_day) where ended_at is null;

alter table downtime
  add column series_id integer references downtime_series,
  add column series_day date;
create unique index downtime_of_series on downtime (series_id, series_day) where series_id is not null;

-- What a service's readings come through. While all of these are stale, that the service is stale too is not told.
create table service_parent (
  service_id integer not null references service on delete cascade,
  parent_id integer not null references service on delete cascade,
  primary key (service_id, parent_id),
  check (service_id <> parent_id)
);
create index service_parent_by_parent on service_parent (parent_id);

-- A siren or a lamp by a switch that is told every minute how to stand: a wanted state, no message.
create table relay (
  id integer generated always as identity primary key,
  group_id integer not null references notification_group on delete cascade,
  -- Of the switch: `http://10.0.0.7`.
  url text not null check (url <> ''),
  switch_id smallint not null default 0 check (switch_id between 0 and 7),
  -- Of the user `admin`, where the switch asks for it.
  password text,
  -- It sounds when nobody renews that all is quiet.
  dead_man boolean not null default false,
  -- How it was last told to stand, and when; null: not yet.
  is_on boolean,
  told_at timestamptz,
  last_error text,
  leased_until timestamptz,
  created_at timestamptz not null,
  unique (group_id, url, switch_id)
);
