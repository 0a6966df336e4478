-- The history of a service's limits is read page by page, the newest first.
create index limits_version_by_service on limits_version (service_id, id);
