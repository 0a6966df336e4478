-- What is watched: locations, assets, services, the devices and sources that report, and their channels.
-- Pairs such as (asset_id, organization_id) keep every reference inside one organization.

create table location (
  id integer generated always as identity primary key,
  organization_id integer not null references organization,
  name text not null check (btrim(name) <> ''),
  unique (organization_id, name),
  unique (id, organization_id)
);

create table asset (
  id integer generated always as identity primary key,
  organization_id integer not null references organization,
  name text not null check (btrim(name) <> ''),
  location_id integer,
  unique (organization_id, name),
  unique (id, organization_id),
  foreign key (location_id, organization_id) references location (id, organization_id)
    on delete set null (location_id)
);
create index asset_by_location on asset (location_id);

-- `Freezer 2` before `Freezer 10`: every number counts by its last ten digits.
create function natural_order(name text) returns text language sql immutable parallel safe as $$
  select regexp_replace(regexp_replace(lower(name), '([0-9]+)', '000000000\1', 'g'), '[0-9]*([0-9]{10})', '\1', 'g')
$$;

create table service (
  id integer generated always as identity primary key,
  organization_id integer not null references organization,
  -- The lab file's own name for a service, free to stay when the display name changes.
  key text check (btrim(key) <> ''),
  name text not null check (btrim(name) <> ''),
  asset_id integer,
  archived_at timestamptz,
  created_at timestamptz not null,
  unique (organization_id, key),
  unique (id, organization_id),
  foreign key (asset_id, organization_id) references asset (id, organization_id)
    on delete set null (asset_id)
);
create index service_by_organization on service (organization_id, name);
create index service_by_asset on service (asset_id);
-- A page of the list costs by what it shows.
create index service_listed on service (organization_id, natural_order(name), id) where archived_at is null;

-- service_id is null for a device that reported before anybody adopted it.
create table device (
  id integer generated always as identity primary key,
  organization_id integer not null references organization,
  key text not null check (btrim(key) <> ''),
  service_id integer unique,
  uplink_interval_minutes double precision
    check (uplink_interval_minutes > 0 and uplink_interval_minutes < 'Infinity'),
  first_seen_at timestamptz,
  last_seen_at timestamptz,
  created_at timestamptz not null,
  foreign key (service_id, organization_id) references service (id, organization_id)
    on delete set null (service_id)
);
-- Network servers disagree on the case of a DevEUI.
create unique index device_by_key on device (organization_id, lower(key));

create table source (
  id integer generated always as identity primary key,
  organization_id integer not null references organization,
  name text not null check (btrim(name) <> ''),
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  created_at timestamptz not null,
  unique (organization_id, name)
);

create table channel (
  id integer generated always as identity primary key,
  service_id integer not null references service,
  name text not null check (name <> ''),
  label text check (btrim(label) <> ''),
  unit text check (btrim(unit) <> ''),
  kind text not null check (kind in ('metric', 'setpoint', 'state', 'diagnostic')),
  -- What the two values of a state are called where people read them; null: what goes with the channel's name.
  off_word text check (btrim(off_word) <> ''),
  on_word text check (btrim(on_word) <> ''),
  created_at timestamptz not null,
  unique (service_id, name)
);
