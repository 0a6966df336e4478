-- Somebody walked through who would go where if a place had no power, and what was missing on that day.
create table rescue_drill (
  organization_id integer not null references organization,
  id bigint generated always as identity,
  -- As its locations are called.
  place text not null check (place <> ''),
  held_on date not null,
  units integer not null,
  racks integer not null,
  -- Units of which nobody had said how cold they have to be.
  unsaid integer not null,
  -- By temperature class: units and racks that found no room.
  lacking jsonb not null,
  remarks text check (length(remarks) between 1 and 2000),
  kept_by_id integer not null,
  kept_by text not null,
  kept_at timestamptz not null,
  primary key (organization_id, id)
);
create index rescue_drill_by_day on rescue_drill (organization_id, held_on desc);
