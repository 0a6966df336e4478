-- What the alarms list is made of beside alarm_state, noted as it changes: programs that keep the list ready see by it
-- what to read anew, however the change was made. Every change has a note of its own, so that nobody waits for anybody.

-- A note is known by its xmin: whatever a transaction noted is there at once.
create table alarm_list_change (
  organization_id integer not null,
  id uuid not null default gen_random_uuid(),
  -- null: any of the organization.
  service_ids integer[],
  primary key (organization_id, id)
);

-- By statement, for a change of thousands of rows is one note.
create function note_services_of_alarm_list(ids integer[]) returns void language plpgsql as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  insert into alarm_list_change (organization_id, service_ids)
  select organization_id, case when count(*) <= 100 then array_agg(changed.id) end
  from unnest(ids) as changed (id)
  cross join lateral (select organization_id from service where service.id = changed.id offset 0) as service
  group by organization_id;
end $$;

create function note_parts_of_alarm_list() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    perform note_services_of_alarm_list(array(select service_id from changed union select service_id from before));
  else
    perform note_services_of_alarm_list(array(select distinct service_id from changed));
  end if;
  return null;
end $$;

-- Rows that are made or deleted change nothing by themselves: something else has to begin or cease to point to them.
create function note_services_themselves_of_alarm_list() returns trigger language plpgsql as $$
begin
  perform note_services_of_alarm_list(array(
    select id from changed join before using (id)
    where (changed.name, changed.asset_id, changed.archived_at, changed.created_at)
      is distinct from (before.name, before.asset_id, before.archived_at, before.created_at)));
  return null;
end $$;

-- Whose services these are may just be changing, too.
create function note_places_of_alarm_list() returns trigger language plpgsql as $$
begin
  insert into alarm_list_change (organization_id)
  select distinct organization_id from (table changed except table before) as place;
  return null;
end $$;

create trigger changed_in_alarm_list after update on service referencing old table as before new table as changed
  execute function note_services_themselves_of_alarm_list();
create trigger changed_in_alarm_list after update on asset referencing old table as before new table as changed
  execute function note_places_of_alarm_list();
create trigger changed_in_alarm_list after update on location referencing old table as before new table as changed
  execute function note_places_of_alarm_list();

do $$
declare
  part text;
begin
  foreach part in array array['channel', 'acknowledgement', 'downtime'] loop
    execute format('create trigger added_in_alarm_list after insert on %I referencing new table as changed
      execute function note_parts_of_alarm_list()', part);
    execute format('create trigger changed_in_alarm_list after update on %I referencing old table as before new table as changed
      execute function note_parts_of_alarm_list()', part);
    execute format('create trigger removed_in_alarm_list after delete on %I referencing old table as changed
      execute function note_parts_of_alarm_list()', part);
  end loop;
end $$;
