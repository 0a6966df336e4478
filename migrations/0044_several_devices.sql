-- A service may have several devices: a probe, and a contact at its door.
alter table device drop constraint device_service_id_key;
create index device_by_service on device (service_id);

-- Which of them says it; null: nobody knows, as where there was one only. Of one that has left the service: whoever says it
-- next has it for its own, which a device that is deleted must not change.
alter table channel add column device_id integer;
