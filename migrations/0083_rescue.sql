-- For the day on which a unit fails: what has to be moved at what cold, and what others can take in.
create table rescue (
  service_id integer primary key references service on delete cascade,
  organization_id integer not null references organization,
  temperature_class text check (temperature_class in ('nitrogen', 'ultra_low', 'freezer', 'fridge', 'incubator')),
  racks integer check (racks between 0 and 10000),
  -- null: it is no refuge.
  free_racks integer check (free_racks between 0 and 10000),
  rescue_order integer check (rescue_order between 0 and 10000),
  -- From here on what is inside suffers.
  danger_value double precision,
  changed_at timestamptz not null
);
create index rescue_refuge on rescue (organization_id, temperature_class, free_racks desc) where free_racks > 0;

-- Room that somebody took for what is in a unit in alarm. It counts until it ends, or its time is over.
create table rescue_reservation (
  service_id integer not null references service on delete cascade,
  id bigint generated always as identity,
  refuge_id integer not null references service on delete cascade,
  episode_id bigint not null,
  racks integer not null check (racks > 0),
  reserved_by_id integer not null,
  reserved_by text not null,
  reserved_at timestamptz not null,
  until timestamptz not null,
  ended_at timestamptz,
  primary key (service_id, id)
);
create index rescue_reservation_by_refuge on rescue_reservation (refuge_id) where ended_at is null;
