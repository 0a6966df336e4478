-- What pages look for units by, and put them in order by: their words, kept by the database itself, so that they are right however
-- something was renamed, moved or handed over. The name of the organization is looked for beside it.
create table service_search (
  service_id integer primary key,
  organization_id integer not null,
  is_archived boolean not null,
  -- As natural_order has it.
  name_order text not null,
  place_order text not null,
  -- Name, asset, location and devices, in small letters.
  words text not null,
  foreign key (service_id, organization_id) references service (id, organization_id) on delete cascade
);
create index service_search_listed on service_search (organization_id, name_order, service_id) where not is_archived;

-- The rows are locked before anything is read: of two that change parts of the same unit the later one sees what both did.
create function refresh_service_search(ids integer[]) returns void language plpgsql as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  perform from service_search where service_id = any(ids) order by service_id for update;
  insert into service_search (service_id, organization_id, is_archived, name_order, place_order, words)
  select service.id, service.organization_id, service.archived_at is not null, natural_order(service.name),
    natural_order(concat_ws(' ', location.name, asset.name)),
    lower(concat_ws(' ', service.name, asset.name, location.name,
      (select string_agg(key, ' ' order by id) from device where device.service_id = service.id)))
  from service
  left join asset on asset.id = service.asset_id
  left join location on location.id = asset.location_id
  where service.id = any(ids)
  order by service.id
  on conflict (service_id) do update
  set is_archived = excluded.is_archived, name_order = excluded.name_order, place_order = excluded.place_order,
    words = excluded.words
  where (service_search.is_archived, service_search.name_order, service_search.place_order, service_search.words)
    is distinct from (excluded.is_archived, excluded.name_order, excluded.place_order, excluded.words);
end $$;

create function refresh_search_of_services() returns trigger language plpgsql as $$
begin
  perform refresh_service_search(array(select id from changed));
  return null;
end $$;

create function refresh_search_of_assets() returns trigger language plpgsql as $$
begin
  perform refresh_service_search(array(
    select service.id from changed join service on service.asset_id = changed.id));
  return null;
end $$;

create function refresh_search_of_locations() returns trigger language plpgsql as $$
begin
  perform refresh_service_search(array(
    select service.id from changed join asset on asset.location_id = changed.id
    join service on service.asset_id = asset.id));
  return null;
end $$;

create function refresh_search_of_devices() returns trigger language plpgsql as $$
begin
  perform refresh_service_search(array(select distinct service_id from changed where service_id is not null));
  return null;
end $$;

-- Devices are heard all the time: only another key or another unit counts.
create function refresh_search_of_device() returns trigger language plpgsql as $$
begin
  perform refresh_service_search(array(select id from unnest(array[old.service_id, new.service_id]) as id where id is not null));
  return null;
end $$;

-- A restore fills the tables in any order.
create trigger added_in_search after insert on service referencing new table as changed
  for each statement execute function refresh_search_of_services();
create trigger changed_in_search after update on service referencing new table as changed
  for each statement execute function refresh_search_of_services();
create trigger added_in_search after insert on asset referencing new table as changed
  for each statement execute function refresh_search_of_assets();
create trigger changed_in_search after update on asset referencing new table as changed
  for each statement execute function refresh_search_of_assets();
create trigger added_in_search after insert on location referencing new table as changed
  for each statement execute function refresh_search_of_locations();
create trigger changed_in_search after update on location referencing new table as changed
  for each statement execute function refresh_search_of_locations();
create trigger added_in_search after insert on device referencing new table as changed
  for each statement execute function refresh_search_of_devices();
create trigger removed_in_search after delete on device referencing old table as changed
  for each statement execute function refresh_search_of_devices();
create trigger changed_in_search after update on device
  for each row when ((old.key, old.service_id) is distinct from (new.key, new.service_id))
  execute function refresh_search_of_device();

select refresh_service_search(array(select id from service));
