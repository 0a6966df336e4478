-- The numbered history of every channel's limits. Authors are an id and a copy of the name, without reference.

create table limits_version (
  id integer generated always as identity primary key,
  service_id integer not null references service,
  -- A name, not a channel id: limits may be set before the channel reports. null means service-wide.
  channel text check (channel not in ('', 'default')),
  version integer not null check (version > 0),
  is_percentage boolean not null,
  setpoint_channel text check (setpoint_channel <> ''),
  state_channel text check (state_channel <> ''),
  origin text not null check (origin in ('edit', 'recommendation', 'band_delete', 'lab_file')),
  author_id integer,
  author_name text not null,
  created_at timestamptz not null,
  retired_at timestamptz,
  unique nulls not distinct (service_id, channel, version),
  check (is_percentage or (setpoint_channel is null and state_channel is null))
);
-- At most one version of a channel is in force.
create unique index limits_version_in_force on limits_version (service_id, channel) nulls not distinct
  where retired_at is null;
-- The history is read page by page, the newest first.
create index limits_version_by_service on limits_version (service_id, id);

create table limits_band (
  limits_version_id integer not null references limits_version on delete cascade,
  band text not null check (band in ('CRITICAL_HIGH', 'CRITICAL_LOW', 'WARNING_HIGH', 'WARNING_LOW')),
  limit_value double precision check (limit_value > '-Infinity' and limit_value < 'Infinity'),
  delay_minutes double precision not null check (delay_minutes >= 0 and delay_minutes < 'Infinity'),
  sustained_minutes double precision not null check (sustained_minutes >= 0 and sustained_minutes < 'Infinity'),
  primary key (limits_version_id, band)
);
