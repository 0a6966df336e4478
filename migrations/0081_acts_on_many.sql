-- Acts on many units at once, for as long as whoever did them can undo them.
create table act_on_many (
  -- The records of its units have it in common.
  id uuid primary key,
  account_id integer not null references account on delete cascade,
  act text not null check (act in ('mute', 'unmute', 'downtime', 'group', 'limits', 'archive')),
  happened_at timestamptz not null,
  undone_at timestamptz,
  -- What it takes to undo it, of each unit.
  units jsonb not null check (jsonb_typeof(units) = 'array')
);
create index act_on_many_by_time on act_on_many (happened_at);
