-- Whoever changes what decides about telling notes it here, in the same transaction. Notes are only added and taken away:
-- nobody waits for a decision under way, and a decision never takes a note that came after what it has read.

create table look_again (
  id bigint generated always as identity primary key,
  -- One of them. What a group or an account means for services is found out by whoever decides.
  service_id integer,
  group_id integer,
  account_id integer,
  noted_at timestamptz not null,
  check (num_nonnulls(service_id, group_id, account_id) = 1)
);
create index look_again_by_service on look_again (service_id) where service_id is not null;
create index look_again_to_spread on look_again (id) where service_id is null;

-- Alarms that hold are looked at once more: a message that failed does not count as told any more.
insert into look_again (service_id, noted_at)
select service_id, coalesce(severity_since, stale_since) from alarm_state
where severity <> 'normal' or stale_since is not null;
