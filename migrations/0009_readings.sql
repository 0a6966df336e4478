-- Readings pour in here: the key leads with the service, no references, partitions by week.
-- The partitions themselves are made by engine/reading-partitions.ts, from the retention up to two weeks ahead.

create table reading (
  service_id integer not null,
  channel_id integer not null,
  taken_at timestamptz not null,
  value double precision not null check (value > '-Infinity' and value < 'Infinity'),
  primary key (service_id, channel_id, taken_at)
) partition by range (taken_at);
