-- A wall may show one location alone: null shows all of its organization. It goes with the location, and never shows more instead.
alter table wall_link
  add column location_id integer,
  add foreign key (location_id, organization_id) references location (id, organization_id) on delete cascade;
