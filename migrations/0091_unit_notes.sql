-- What people wrote at a moment of a unit's curve.
create table unit_note (
  service_id integer not null references service on delete cascade,
  id bigint generated always as identity primary key,
  at timestamptz not null,
  text text not null check (length(text) between 1 and 1000),
  author_id integer not null,
  author_name text not null,
  created_at timestamptz not null,
  -- null: it stands as it was written.
  changed_at timestamptz,
  changed_by_name text
);
create index unit_note_by_service on unit_note (service_id, at);
