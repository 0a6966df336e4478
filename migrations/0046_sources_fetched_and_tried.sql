-- What The Things Stack stored while we could not be reached is fetched from there, by one program at a time.
create table source_catch_up (
  -- A source that is changed gets a new id.
  source_id integer primary key references source on delete cascade on update cascade,
  -- Up to when all is here; null: nothing was fetched yet.
  caught_up_until timestamptz,
  next_at timestamptz not null,
  -- The program that does it says until when; afterwards another one may.
  claimed_until timestamptz not null
);

alter table source
  -- Under which topic the last body came, for the page on which a mapping is written.
  add column last_topic text,
  -- How often its codec failed in a row, in whichever program.
  add column codec_failures integer not null default 0;
