-- What the pages about being told keep: why a webhook is off, and alarm drills.

-- null while it is on, or when its receiver said that it is gone.
alter table notification_group_webhook add column disabled_reason text check (disabled_reason <> '');

-- A marked alarm sent by the service's real path. Its episode is its own, so that its link acknowledges nothing else.
create table drill (
  id integer generated always as identity primary key,
  service_id integer not null references service,
  notification_id bigint not null unique,
  episode_id bigint not null,
  started_by_id integer not null,
  started_by_name text not null,
  started_at timestamptz not null,
  acknowledged_by_id integer,
  acknowledged_by_name text,
  acknowledged_at timestamptz,
  check ((acknowledged_at is null) = (acknowledged_by_name is null))
);
create index drill_by_service on drill (service_id, id desc);
create index drill_by_episode on drill (episode_id);
