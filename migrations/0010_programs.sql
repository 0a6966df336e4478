-- Every running program says what it does and that it still does it.

create table program (
  id uuid primary key,
  host text not null,
  pid integer not null,
  version text not null,
  roles text[] not null check (roles <@ array['web', 'engine', 'deliver', 'advise']),
  started_at timestamptz not null,
  beat_at timestamptz not null
);
create index program_by_beat on program (beat_at);
