-- A device that waits to be adopted keeps its last readings: whoever adopts it finds a curve. They are no readings of the
-- house yet: nobody judges them, and nothing else reads them.
create table waiting_device (
  device_id integer primary key references device on delete cascade,
  -- How many came so far, which says where the next one goes.
  readings bigint not null check (readings > 0)
);

-- A ring for each device: the newest take the places of the oldest.
create table waiting_reading (
  device_id integer not null references waiting_device on delete cascade,
  place integer not null,
  channel text not null,
  at timestamptz not null,
  value double precision not null,
  -- It came as true or false.
  is_state boolean not null,
  received_at timestamptz not null,
  primary key (device_id, place)
) with (fillfactor = 80);

alter table device
  -- What it is, in the words of its network.
  add column model text check (btrim(model) <> ''),
  -- The name of the source that it came through last, while it was not adopted.
  add column heard_from text;
