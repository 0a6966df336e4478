-- A wall may show a whole branch of the tree that names of locations make, `building 2/floor 1`: what stands there at the time.
alter table wall_link
  add column branch text check (branch is null or (branch <> '' and location_id is null));
