-- Programs that died or stood still, as their parents told those that came after them.
create table program_end (
  host text not null,
  ended_at timestamptz not null,
  cause text not null check (cause in ('standstill', 'died')),
  -- Such as SIGABRT, or exit code 1.
  how text not null,
  -- Functions and lines of the source where it stood still, innermost first.
  places text[] not null,
  -- What it was at: kind and id.
  in_hand text[] not null,
  primary key (ended_at, host)
);
