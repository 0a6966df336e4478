-- Items of work that ended programs twice, as program_end names them. They do not come again until their row is deleted.
create table set_aside (
  item text primary key,
  set_aside_at timestamptz not null
);
