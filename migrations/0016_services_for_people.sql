-- The list of services in the order people expect, and what a chart shades.

-- `Freezer 2` before `Freezer 10`: every number counts by its last ten digits.
create function natural_order(name text) returns text language sql immutable parallel safe as $$
  select regexp_replace(regexp_replace(lower(name), '([0-9]+)', '000000000\1', 'g'), '[0-9]*([0-9]{10})', '\1', 'g')
$$;

-- A page of the list costs by what it shows.
create index service_listed on service (organization_id, natural_order(name), id) where archived_at is null;

-- The alarms of a span of time.
create index alarm_event_by_time on alarm_event (service_id, happened_at);
create index mute_by_service on mute (service_id, id desc);
