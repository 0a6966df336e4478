-- Every running program says what it does, that it still does it and how it fares, so that any of them can say what is
-- wrong with the service.

create table program (
  id uuid primary key,
  host text not null,
  pid integer not null,
  version text not null,
  roles text[] not null check (roles <@ array['web', 'engine', 'deliver', 'advise']),
  started_at timestamptz not null,
  beat_at timestamptz not null,
  -- Since when programs of its roles run without a pause. null: a version that does not say.
  awake_since timestamptz,
  -- When its work was last done to its end.
  swept_at timestamptz,
  decided_at timestamptz,
  delivered_at timestamptz,
  -- How far its host's clock is ahead of the database's, at least.
  clock_ahead_ms bigint,
  -- Of the disk that holds the cluster, if it is on the same host.
  disk_free_bytes bigint,
  disk_total_bytes bigint
);
create index program_by_beat on program (beat_at);

-- Whether this database is a demonstration. One row at most; filled_at is null while it is being filled in.
create table demonstration (
  only_row boolean primary key default true check (only_row),
  seed integer not null,
  began_at timestamptz not null,
  until_at timestamptz not null check (until_at > began_at),
  filled_at timestamptz
);
