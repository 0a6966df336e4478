-- Readings pour in here: the key leads with the service, no references, partitions by week.
-- All of it is replaced by the packs of 0014.

create table reading (
  service_id integer not null,
  channel_id integer not null,
  taken_at timestamptz not null,
  value double precision not null check (value > '-Infinity' and value < 'Infinity'),
  primary key (service_id, channel_id, taken_at)
) partition by range (taken_at);

-- What the readings of a finished minute or hour come to.

create table reading_minute (
  service_id integer not null,
  channel_id integer not null,
  starts_at timestamptz not null,
  min double precision not null,
  max double precision not null,
  mean double precision not null,
  count integer not null,
  primary key (service_id, channel_id, starts_at)
) partition by range (starts_at);

create table reading_hour (
  service_id integer not null,
  channel_id integer not null,
  starts_at timestamptz not null,
  min double precision not null,
  max double precision not null,
  mean double precision not null,
  count integer not null,
  primary key (service_id, channel_id, starts_at)
) partition by range (starts_at);

-- Rollups are complete up to rolled_until, but for the hours in rollup_dirty.
-- A reading older than sealed_until has to leave a mark there in its own transaction.
create table rollup_progress (
  only_row boolean primary key default true check (only_row),
  sealed_until timestamptz not null default '-infinity',
  rolled_until timestamptz not null default '-infinity'
);
insert into rollup_progress default values;

-- Without a key, so that marking waits for nobody: marks may come twice.
create table rollup_dirty (
  service_id integer not null,
  channel_id integer not null,
  starts_at timestamptz not null,
  marked_at timestamptz not null
);

-- The lock first, then a look that sees what the last holder wrote: two statements in one round trip. By the key of the
-- only row: where sequential scans are off, reading the whole table is priced so high that a server compiles it for every
-- post.
create function join_rollup_seal(lock_key bigint) returns timestamptz language plpgsql volatile as $$
declare
  seal timestamptz;
begin
  perform pg_advisory_xact_lock_shared(lock_key);
  select sealed_until into strict seal from rollup_progress where only_row;
  return seal;
end $$;
