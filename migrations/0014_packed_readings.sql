-- Readings are kept packed: first the posts of a transaction as they came, then by channel and day.
-- What was stored a row each is packed by engine/readings/move-old-readings.ts before the next migration drops its tables.

-- A log: what was answered is in it, and the packer takes it out again. `data` as in docs/readings-format.md.
create table reading_inbox (
  id bigint generated always as identity primary key,
  received_at timestamptz not null,
  count integer not null,
  -- Whose readings are in it, so that who looks for a service's need not unpack the others'.
  service_ids integer[] not null,
  data bytea not null,
  -- Set aside: it could not be unpacked.
  damaged_at timestamptz
);
alter table reading_inbox alter column data set storage external;
-- Rows stay for minutes, and everybody who looks for new readings passes those that are gone.
-- A post of 250 readings stays in its row.
alter table reading_inbox set (toast_tuple_target = 8160);
alter table reading_inbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- The latest time that a reading of the service had when it came ahead of the clock. What is not later may be its double.
alter table alarm_state add column ahead_until timestamptz;

create sequence reading_part;

-- Readings of one channel and day (UTC) with what they come to. Partitions by month are made by the packer and dropped
-- behind the retention. Without references: rows pour in here.
create table reading_pack (
  service_id integer not null,
  channel_id integer not null,
  day date not null,
  part bigint not null default nextval('reading_part'),
  -- false: a part of its day that is still to be joined with the others.
  is_merged boolean not null,
  count integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  min double precision not null,
  max double precision not null,
  mean double precision not null,
  data bytea not null,
  primary key (service_id, channel_id, day, part)
) partition by range (day);
alter table reading_pack alter column data set storage external;
create index reading_pack_unmerged on reading_pack (day, service_id, channel_id) where not is_merged;

-- Packs that could not be read, each named once, and logged once.
create table reading_damage (
  service_id integer not null,
  channel_id integer not null,
  day date not null,
  part bigint not null,
  reason text not null,
  logged_at timestamptz,
  primary key (service_id, channel_id, day, part)
);
