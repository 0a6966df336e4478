-- A picture of a place, made anew from what somebody sent, and where units stand in it. The place is a branch of the tree that names
-- of locations make, `building 2/floor 1`.
create table floor_plan (
  id integer generated always as identity primary key,
  organization_id integer not null references organization,
  branch text not null check (branch <> ''),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  -- PNG, written by the program itself.
  picture bytea not null,
  changed_at timestamptz not null,
  unique (organization_id, branch),
  unique (id, organization_id)
);

-- In thousandths of the picture, from its upper left corner.
create table floor_plan_marker (
  plan_id integer not null,
  service_id integer not null,
  organization_id integer not null,
  x integer not null check (x between 0 and 1000),
  y integer not null check (y between 0 and 1000),
  primary key (plan_id, service_id),
  foreign key (plan_id, organization_id) references floor_plan (id, organization_id) on delete cascade,
  foreign key (service_id, organization_id) references service (id, organization_id) on delete cascade
);
create index floor_plan_marker_by_service on floor_plan_marker (service_id, organization_id);
